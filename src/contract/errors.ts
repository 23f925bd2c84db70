import type { HubErrorCode } from "../model/errors.js";

/** What a script would do next decides which; the command line gives each of them a number. */
export type ExitKind =
  | "failed"
  | "usage"
  | "unreachable"
  | "not found"
  | "denied"
  | "rate-limited"
  | "timed out";

type ErrorContract = {
  /** Over HTTP. Only the command line or the start of a hub gives those that have none. */
  status?: number;
  exit: ExitKind;
  /** What stands beside `error` and `code`. */
  beside?: string;
  /** Seconds after which it makes sense to try again, where the refusal passes by itself. */
  retryAfter?: number;
  /** The way out, for whoever met it. */
  fix: string;
};

/** What each refusal is over HTTP and to a script, and what to do about it. */
export const errorContracts: Readonly<Record<HubErrorCode, ErrorContract>> = {
  BAD_JSON: {
    status: 400,
    exit: "failed",
    fix: "Send one JSON object in UTF-8; the sentence says what is wrong with it",
  },
  BODY_TOO_LARGE: {
    status: 413,
    exit: "usage",
    beside: "`limit`",
    fix: "Send less, or raise `http.body_limit`",
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, exit: "failed", fix: "Send `Content-Type: application/json`" },
  INVALID_INPUT: {
    status: 400,
    exit: "usage",
    beside:
      "`issues: [{field, problem}]`: all that is wrong with a body or query; `newest` for an `after` beyond it",
    fix: "Correct the fields in `issues`",
  },
  UNAUTHENTICATED: { status: 401, exit: "denied", fix: "Send a token; if its agent left, register again" },
  FORBIDDEN: { status: 403, exit: "denied", fix: "Use the token that the sentence names" },
  HOST_NOT_ALLOWED: {
    status: 403,
    exit: "denied",
    beside: "`allowed: [host]`",
    fix: "Call the hub by one of the `allowed` hosts",
  },
  ORIGIN_NOT_ALLOWED: { status: 403, exit: "denied", fix: "Do not call it from another site's page" },
  SENDER_MISMATCH: { status: 403, exit: "denied", fix: "Leave `sender` out" },
  ROUTE_NOT_FOUND: { status: 404, exit: "failed", fix: "Check method and path" },
  METHOD_NOT_ALLOWED: {
    status: 405,
    exit: "failed",
    beside: "`allow: [method]`",
    fix: "Use a method in `allow`",
  },
  TOOL_NOT_FOUND: {
    status: 404,
    exit: "failed",
    beside: "`available: [name]`, `did_you_mean?`",
    fix: "Use a tool in `available`; over MCP only (18.3)",
  },
  REQUEST_TIMEOUT: {
    status: 408,
    exit: "timed out",
    fix: "Send the request faster, or raise `http.request_timeout`",
  },
  AGENT_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`available: [name]` (at most 50), `did_you_mean?`, `renamed_to?`",
    fix: "Use a name in `available`, or `renamed_to`",
  },
  AGENT_GONE: {
    status: 410,
    exit: "not found",
    beside: "`available: [name]`",
    fix: "It left; write to somebody else",
  },
  NAME_AMBIGUOUS: {
    status: 409,
    exit: "not found",
    beside: "`available: [address]`: all that have the name",
    fix: "Write one of `available`, such as `alpha/ana`, or its id",
  },
  HUB_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`hub`, `available: [name]`",
    fix: "Leave `@hub` out to reach an agent of this hub",
  },
  MESSAGE_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`unknown: [id]`, from an ack",
    fix: "Check the id; other people's mail does not exist for you",
  },
  REPLY_TARGET_NOT_FOUND: {
    status: 400,
    exit: "not found",
    beside: "`reply_to`",
    fix: "Reply to a message that you sent or received",
  },
  REPLY_AMBIGUOUS: {
    status: 409,
    exit: "usage",
    beside: "`reply_to`, `candidates`",
    fix: "Give the whole id of the message that you mean",
  },
  SELF_SEND: { status: 400, exit: "usage", fix: "Send to somebody else" },
  NAME_INVALID: {
    status: 400,
    exit: "usage",
    beside: "`suggestion`, `pattern`",
    fix: "Take the `suggestion`, or match 10.1",
  },
  NAME_RESERVED: { status: 400, exit: "usage", beside: "`reserved: [name]`", fix: "Choose another name" },
  ID_REUSED: {
    status: 409,
    exit: "failed",
    beside: "`message_id`, `seq` of the message that has it",
    fix: "Use a new id, or send the very same body",
  },
  INBOX_FULL: {
    status: 429,
    exit: "rate-limited",
    beside: "`cap`",
    retryAfter: 5,
    fix: "Wait for the reader; `Retry-After` says how long at least",
  },
  RATE_LIMITED: {
    status: 429,
    exit: "rate-limited",
    beside: "`target` (of a nudge `request_id`), `retry_after_ms`",
    fix: "Send again after `retry_after_ms`, with the same id",
  },
  CONVERSATION_FROZEN: {
    status: 409,
    exit: "denied",
    beside: "`conversation`",
    fix: "Stop; the person ended it. Ask them, if it must go on",
  },
  CONVERSATION_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`paused: [id]`: those that wait",
    fix: "Use an id in `paused`, or of 16.1",
  },
  NO_RECIPIENTS: { status: 404, exit: "not found", fix: "Check the team; nobody else is there" },
  REQUEST_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`open: [id]`",
    fix: "Check the id; `open` has those that wait",
  },
  REQUEST_EXPIRED: {
    status: 410,
    exit: "not found",
    beside: "`request_id`",
    fix: "Nobody claimed it in time; to say something all the same, send a message without `reply_to`",
  },
  OWN_REQUEST: { status: 403, exit: "denied", beside: "`request_id`", fix: "Leave it to another agent" },
  NOT_CLAIMER: {
    status: 403,
    exit: "denied",
    beside: "`request_id`, `claimed_by`",
    fix: "`claimed_by` has it; leave it, or write to them",
  },
  REQUEST_ANSWERED: {
    status: 409,
    exit: "failed",
    beside: "`request_id`, `claimed_by`",
    fix: "`claimed_by` has answered it; nothing to do",
  },
  REQUESTS_FULL: {
    status: 429,
    exit: "rate-limited",
    beside: "`cap`",
    retryAfter: 5,
    fix: "Ask again once some are claimed",
  },
  CLAIMS_FULL: {
    status: 429,
    exit: "rate-limited",
    beside: "`cap`",
    retryAfter: 5,
    fix: "Release a task, or wait for a lease to end",
  },
  BUDGET_NOT_REACHED: {
    status: 409,
    exit: "failed",
    beside: "`reached: [{kind, key}]`: those that wait",
    fix: "Decide one of `reached`; `GET /api/needs-you` lists them",
  },
  TASK_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`task_id`",
    fix: "List them: `GET /api/tasks`",
  },
  TASKS_FULL: {
    status: 429,
    exit: "rate-limited",
    beside: "`cap`",
    retryAfter: 5,
    fix: "Wait until some have ended, or raise `tasks.open_cap`",
  },
  WORKTREE_FAILED: {
    status: 424,
    exit: "failed",
    beside: "`project`",
    fix: "The sentence says what git needs: a repository with a commit, a branch, a clean file",
  },
  WORKTREE_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`available: [name]`",
    fix: "Use a name in `available`",
  },
  WORKTREE_BUSY: {
    status: 409,
    exit: "failed",
    beside: "`agents: [name]`: who works in it",
    fix: "Wait until its agent has left, or shut it down",
  },
  WORKTREE_CHANGED: {
    status: 409,
    exit: "failed",
    beside: "`commits`, `files`: what would be lost; `loose`: files that are not committed",
    fix: "Merge it, or remove it with `force`",
  },
  MERGE_CONFLICT: {
    status: 409,
    exit: "failed",
    beside: "`files: [path]`",
    fix: "Nothing has changed: merge the branch by hand, in the project",
  },
  CHECK_UNKNOWN: {
    status: 400,
    exit: "usage",
    beside: "`available: [name]`",
    fix: "Use one in `available`, or add it to `checks` in `huddle.yaml`",
  },
  WORKFLOW_INVALID: {
    status: 400,
    exit: "usage",
    beside: "`issues: [{field, problem}]`: all that is wrong with its steps",
    fix: "Correct what `issues` names: cycles, unknown dependencies, equal names, templates",
  },
  WORKFLOW_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`workflow_id`",
    fix: "List them: `GET /api/workflows`",
  },
  WORKFLOWS_FULL: {
    status: 429,
    exit: "rate-limited",
    beside: "`cap`",
    retryAfter: 5,
    fix: "Wait until some have ended, or raise `workflows.open_cap`",
  },
  STEP_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`available: [name]`",
    fix: "Use a step in `available`",
  },
  STEP_NOT_ENDED: {
    status: 409,
    exit: "failed",
    beside: "`status`",
    fix: "Only a step that failed, was blocked, skipped or cancelled is run again",
  },
  STEP_NOT_WAITING: {
    status: 409,
    exit: "failed",
    beside: "`status`",
    fix: "Only a step that waits for approval is approved or rejected",
  },
  SESSION_NOT_FOUND: { status: 404, exit: "not found", fix: "Check the id: it is the agent's, not its name" },
  DEPTH_LIMIT: {
    status: 403,
    exit: "denied",
    beside: "`depth`, `limit`",
    fix: "Do it yourself, or raise `agents.depth`",
  },
  HOSTED_LIMIT: {
    status: 429,
    exit: "rate-limited",
    beside: "`limit`",
    fix: "Shut an agent down, or raise `hosting.agents`",
  },
  BACKEND_UNKNOWN: {
    status: 400,
    exit: "usage",
    beside: "`available: [name]`",
    fix: "Use one in `available`, or add it to `huddle.yaml`",
  },
  BACKEND_MISSING: {
    status: 424,
    exit: "failed",
    beside: "`reason`: a word for what failed",
    fix: "Install the program that the sentence names",
  },
  RUNTIME_UNAVAILABLE: {
    status: 400,
    exit: "usage",
    beside: "`available: [name]`",
    fix: "Use one in `available`",
  },
  PROJECT_NOT_ALLOWED: {
    status: 403,
    exit: "denied",
    beside: "`project`, `allowed_roots: [path]`",
    fix: "Choose a folder below `allowed_roots`, or add to them",
  },
  TARGET_INVALID: {
    status: 400,
    exit: "usage",
    beside: "`available: [name]`, `did_you_mean?` for an address",
    fix: "Write an address as `[team/]name` (10.1). Name a pane as `tmux list-panes -a` shows it; for a pane of its own, a name that fits (20.1)",
  },
  SPAWN_FAILED: {
    status: 502,
    exit: "failed",
    beside: "`reason`: a word for what failed",
    fix: "The sentence says why; try the CLI by hand in that folder",
  },
  NOT_HOSTED: { status: 409, exit: "failed", fix: "Ask it to shut down, or deregister it" },
  PERMISSION_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`open: [id]`",
    fix: "Check the id; `open` has those that wait",
  },
  PERMISSION_ANSWERED: {
    status: 409,
    exit: "failed",
    beside: "`permission`, `outcome`",
    fix: "Nothing; the first answer counts",
  },
  DIALOG_IN_PANE: {
    status: 409,
    exit: "failed",
    beside: "`permission`, `agent`",
    fix: "Attach to the pane (`huddle attach NAME`) and answer it there",
  },
  TOO_MANY_READERS: {
    status: 429,
    exit: "rate-limited",
    retryAfter: 1,
    fix: "Close a stream, or read without `wait`",
  },
  STORAGE_FULL: {
    status: 507,
    exit: "failed",
    beside: "`free`, `reserve`",
    fix: "Nothing was stored: free some space, then send again",
  },
  TOO_FEW_HANDLES: {
    status: 503,
    exit: "failed",
    fix: "Close connections, or raise `ulimit -n`: the hub has no file handles left. Only in health (7.1)",
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    exit: "failed",
    retryAfter: 1,
    fix: "The disk failed and the hub stops: once it is back, send again with the same id",
  },
  SHUTTING_DOWN: { status: 503, exit: "unreachable", retryAfter: 1, fix: "Send again once the hub is back" },
  CONFIG_INVALID: { exit: "usage", fix: "Correct the keys that it names" },
  HUB_RUNNING: { exit: "failed", fix: "Use the hub that runs, stop it, or choose another `HUDDLE_HOME`" },
  HUB_UNREACHABLE: { exit: "unreachable", fix: "Start it: `huddle up`" },
  PORT_TAKEN: { exit: "failed", fix: "Choose another port; `--port 0` picks one" },
  DATA_NEWER: { exit: "failed", fix: "Upgrade Huddle" },
  DATA_CORRUPT: {
    status: 500,
    exit: "failed",
    fix: "Save what is readable with `huddle export`, then restore a backup or run `huddle rebuild`: [docs/operating.md](docs/operating.md)",
  },
  DATA_UNUSABLE: {
    status: 503,
    exit: "failed",
    fix: "Follow the sentence: a file or folder cannot be used, or was removed or replaced under the hub, which then stops",
  },
  DATABASE_UNAVAILABLE: {
    exit: "failed",
    fix: "Run the command that it names: the database driver cannot be loaded",
  },
  FILE_EXISTS: {
    status: 409,
    exit: "failed",
    beside: "`file`",
    fix: "Choose another name, or remove the file",
  },
  FILE_UNUSABLE: {
    status: 400,
    exit: "failed",
    beside: "`file`",
    fix: "Give an absolute path in a folder that the hub may write to",
  },
  MAINTENANCE_RUNNING: { status: 409, exit: "failed", fix: "Wait for the backup or prune that runs" },
  NOT_DELIVERED: {
    exit: "failed",
    fix: "The message ended otherwise, or waits because a pane did not take it (`send --confirm`); `reason` says why. Or you said no (`broadcast --all`)",
  },
  TIMED_OUT: { exit: "timed out", fix: "The client gave up waiting; for a send, repeat it with the same id" },
  INTERNAL: { status: 500, exit: "failed", fix: "A mistake of Huddle's: the hub's log has the reason" },
};
