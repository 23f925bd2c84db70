import { z } from "zod";
import { parseDuration } from "../model/duration.js";
import { toolsetNames } from "../model/toolset.js";
import { allowedRoots, backends, checkDefault, checks, defaultBackend } from "./config-backends.js";
import { agentComms } from "./config-comms.js";
import { bytes, count, duration, loopbackHost, oneOf, structured, yesNo } from "./config-leaf.js";
import { section } from "./config-section.js";
import { budgets, memory, tasks, work, workflows, worktree } from "./config-work.js";

/*
 * Every key of `huddle.yaml`, with its default and what it does. To add a key, add its line here; `npm run
 * protocol` writes its row in docs/configuration.md. Names are those of the file, so that `config.http.body_limit` is what the user wrote.
 */

const http = section({
  body_limit: bytes(
    "1MiB",
    "Largest request body; a larger one answers 413 BODY_TOO_LARGE.",
    "1KiB",
    "256MiB",
  ),
  request_timeout: duration(
    "30s",
    "How long a client may take to send its request; then 408 REQUEST_TIMEOUT.",
    "100ms",
  ),
  connections: count(4096, "Most connections open at once; a further one is closed.", 1, 1_000_000),
  json_depth: count(64, "Deepest nesting of a JSON body; a deeper one answers 400 BAD_JSON.", 1, 1000),
  json_keys: count(
    10_000,
    "Most object keys in one JSON body; with more it answers 400 BAD_JSON.",
    1,
    1_000_000,
  ),
});

const inbox = section({
  cap: count(
    1000,
    "Most undelivered messages in one inbox; beyond it senders get 429 INBOX_FULL.",
    1,
    1_000_000,
  ),
  room: count(50, "Messages of one sender that an inbox takes even when it is full.", 0, 1_000_000),
  read_messages: count(
    100,
    "Most messages handed out by one read; the answer says whether there are more.",
    1,
    10_000,
  ),
  read_bytes: bytes(
    "4MiB",
    "Most message text handed out by one read; a single larger message comes alone.",
    "1KiB",
    "256MiB",
  ),
  wait_max: duration("120s", "Longest wait for a message; a longer one is shortened to this.", "1s", "1h"),
  reoffer_after: duration(
    "60s",
    "A message that was handed out and not proven to have arrived is offered again after this long.",
  ),
  readers: count(
    4096,
    "Most readers waiting for messages at once; a further one gets 429 TOO_MANY_READERS.",
    1,
    1_000_000,
  ),
  agent_readers: count(
    32,
    "Most of them that are of one agent; a further one gets 429 TOO_MANY_READERS.",
    1,
    1_000_000,
  ),
});

const agents = section({
  rename_grace: duration(
    "24h",
    "How long an old name stays reserved after a rename; then others may take it.",
    "0s",
    "365d",
  ),
  depth: count(
    3,
    "How many spawns deep agents may delegate, the person's own being at 0; beyond it 403 DEPTH_LIMIT.",
    0,
    100,
  ),
  children: count(
    25,
    "Most agents at once that one agent and those below it may have started; beyond it 429 HOSTED_LIMIT.",
    0,
    10_000,
  ),
});

const hosting = section({
  agents: count(50, "Most agents that the hub runs itself at once; beyond it 429 HOSTED_LIMIT.", 0, 10_000),
  reserve: count(5, "How many of them are kept for the person's own; at most half.", 0, 10_000),
  unload_after: duration(
    "15m",
    "An agent that was idle this long is unloaded; the next message loads it again.",
  ),
  start_within: duration(
    "60s",
    "How long an agent may take to start; in a pane, how long it may draw nothing new until its input box is there, except while you are asked something (at least `tmux.ready_timeout_secs`).",
    "1s",
    "1h",
  ),
  taken_within: duration("30s", "An agent that does not take a prompt within this time is restarted."),
  cancel_within: duration("5s", "An interrupted agent that goes on for this long is ended and restarted."),
  stalled_after: duration("10m", "An agent that says nothing for this long in a turn is shown as stalled."),
  limit_margin: duration(
    "1m",
    "How long after the reset time that its vendor told an agent at its usage limit goes on: vendors round it.",
    "0s",
  ),
  limit_pause: duration(
    "10m",
    "When its vendor did not tell, an agent at its usage limit is tried again after this long; then after 2, 4 and 6 times as long.",
  ),
  shutdown_within: duration("30s", "How long an agent may go on with its turn when it is shut down.", "0s"),
  permission_within: duration(
    "12h",
    "A permission that nobody answers is denied after this long.",
    "1s",
    "365d",
  ),
  handoff_at: count(
    85,
    "An agent whose context is this full, in percent, is told once that it can hand its work over; 0 never tells.",
    0,
    100,
  ),
  fyi_messages: count(
    20,
    "Most messages for information only that a turn carries; others stay in the inbox.",
    0,
    1000,
  ),
  fyi_bytes: bytes("8KiB", "Most text of such messages that a turn carries.", "0"),
});

const delay = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, "must be a duration, such as 2s");

const cooldown = section({
  quick: duration("5s", "Messages of a pair closer together than this are held, longer each time."),
  delays: structured(
    z.array(delay).min(1).max(20),
    ["2s", "4s", "8s", "16s", "30s"],
    "The delay of each further quick message; the last one is for all after it.",
  ),
  reset: duration("30s", "After this long without a message a pair starts afresh."),
  cap: count(
    10,
    "Most messages of a pair within a rolling minute, then 429 RATE_LIMITED; 0 sets no cap.",
    0,
    1000,
  ),
  mode: oneOf(
    ["hold", "reject"],
    "hold",
    "What becomes of a message that comes too soon and does not say (if_limited): hold lets it wait, reject is 429 RATE_LIMITED.",
  ),
});

const attention = section({
  http: oneOf(
    ["queue", "interrupt"],
    "queue",
    "What a message sent to one agent over HTTP asks for, if neither it nor its sender says: queue or interrupt.",
  ),
});

const conversation = section({
  hops: count(24, "Most answers in a row between agents before the person is asked.", 1, 1_000_000_000),
  messages: count(100, "Most messages in one conversation before the person is asked.", 1, 1_000_000_000),
  cause: duration(
    "15m",
    "How long what an agent was handed counts as the cause of what it sends; later it begins a conversation.",
    "1s",
    "1h",
  ),
  unattended: count(
    200,
    "Most messages between agents in an hour without a person; further ones are held until the person writes.",
    1,
    1_000_000_000,
  ),
});

const requests = section({
  default: duration(
    "30s",
    "How long a request waits to be claimed until it expires, unless it says otherwise.",
  ),
  max: duration(
    "24h",
    "Longest time that a request may wait; a longer one is shortened to this.",
    "1s",
    "365d",
  ),
  open_cap: count(
    1000,
    "Most requests open at once; beyond it requesters get 429 REQUESTS_FULL.",
    1,
    1_000_000,
  ),
  agent_cap: count(20, "Most requests of one agent open at once; beyond it 429 REQUESTS_FULL.", 1, 1_000_000),
  pace: count(
    20,
    "Most requests and nudges of one agent within a minute, then 429 RATE_LIMITED; 0 sets no limit.",
    0,
    10_000,
  ),
  nudge_cap: count(10, "Most nudges of one request; a further one gets 429 RATE_LIMITED.", 1, 1000),
});

const presence = section({
  offline_after: duration("30s", "An agent without heartbeats is offline this long after it was last seen."),
  dead_after: duration("30s", "An agent that promised heartbeats is dead after this long without one."),
  turn_silence: duration(
    "10m",
    "An agent that a person started is taken to have ended its turn when its hooks say nothing for this long.",
  ),
  show_dead: duration("10m", "How long orchestrators are still shown the dead by get_agent_status."),
});

const events = section({
  ping_every: duration("15s", "How often a quiet event stream is sent a ping.", "100ms", "1h"),
  buffer: bytes("1MiB", "Most bytes kept for a slow reader; it gets no more until it takes some.", "4KiB"),
  stall: duration(
    "5s",
    "A reader that takes nothing for this long with a full buffer is dropped.",
    "100ms",
    "1h",
  ),
  linger: duration(
    "5s",
    "How long a dropped reader has to read on and learn why, before its connection is cut.",
    "100ms",
    "10m",
  ),
  readers: count(
    1000,
    "Most event streams and agents' sockets open at once; a further one gets 429 TOO_MANY_READERS.",
    1,
    1_000_000,
  ),
  agent_readers: count(
    32,
    "Most of them that are of one agent; a further one gets 429 TOO_MANY_READERS.",
    1,
    1_000_000,
  ),
  in_flight: count(
    1000,
    "Most frames of one agent's socket that are being answered; the hub reads no more of it until one is.",
    1,
    1_000_000,
  ),
  ticket_life: duration(
    "10s",
    "How long a ticket for an event stream can be used; then 401 UNAUTHENTICATED.",
    "1s",
    "10m",
  ),
});

const desk = section({
  code_life: duration(
    "60s",
    "How long the link that `huddle ui` opens can be used; then 403 CODE_INVALID.",
    "1s",
    "10m",
  ),
  token_life: duration(
    "30d",
    "How long a desk stays logged in; then 401 UNAUTHENTICATED until `huddle ui` opens it again.",
    "1s",
    "365d",
  ),
});

const search = section({
  readers: count(64, "Most searches running at once.", 1, 10_000),
  agent_readers: count(4, "Most of them that are of one agent.", 1, 10_000),
});

const tmux = section({
  timeout_secs: count(
    5,
    "Seconds of one attempt: by then a line pasted into a pane must have begun a turn.",
    1,
    600,
  ),
  retry_count: count(
    2,
    "Attempts for one line, an Enter each; it is pasted once. After the last its sender is told, and it waits.",
    1,
    10,
  ),
  poll_interval_ms: count(200, "Milliseconds between two looks at a pane.", 20, 10_000),
  ready_timeout_secs: count(
    30,
    "Seconds that a pane may take until it can be typed into; then senders are told, and their mail waits.",
    1,
    3600,
  ),
});

const journal = section({
  batch_commands: count(256, "Most commands stored by one commit.", 1, 100_000),
  batch_time: duration("5ms", "Longest time spent on deciding one commit.", "1ms", "1s"),
  wal_soft: bytes("16MiB", "Size of the write-ahead log at which it is written back.", "64KiB"),
  wal_cap: bytes("32MiB", "Size of the write-ahead log at which new commits wait for that.", "64KiB"),
  reserve: bytes(
    "512KiB",
    "Free disk space below which nothing more is stored: 507 STORAGE_FULL.",
    "0",
    "1GiB",
  ),
}).superRefine(({ wal_soft, wal_cap }, context) => {
  if (wal_soft <= wal_cap) return;
  context.addIssue({
    code: "custom",
    path: ["wal_soft"],
    message: "must not be larger than journal.wal_cap",
  });
});

const log = section({
  level: oneOf(
    ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
    "info",
    "Least important kind of line that is logged.",
  ),
  comms_bytes: bytes("10MiB", "Size of logs/agent-comms.log at which another file is begun.", "4KiB"),
  comms_files: count(5, "How many files of that log are kept, the current one included.", 1, 1000),
});

export const configSchema = z
  .strictObject({
    host: loopbackHost("127.0.0.1", "Loopback address that the hub listens on."),
    port: count(9223, "Port that the hub listens on; 0 picks a free one.", 0, 65_535),
    http,
    inbox,
    agents,
    cooldown,
    attention,
    conversation,
    broadcast: oneOf(
      ["anyone", "orchestrator"],
      "anyone",
      "Who may broadcast besides the person: anyone or orchestrator.",
    ),
    requests,
    work,
    memory,
    tasks,
    worktree,
    workflows,
    budgets,
    presence,
    hosting,
    envelope: oneOf(
      ["from-agent", "short"],
      "from-agent",
      'How an agent\'s prompt names the sender: [From agent "x"]: above the text, or [x]: before it.',
    ),
    roster_in_prompt: yesNo(false, "Whether an agent's first prompt names the other agents."),
    events,
    desk,
    search,
    tmux,
    journal,
    log,
    "agent-comms": agentComms,
    tools: oneOf(
      toolsetNames,
      "huddle",
      "The set of tools that agents which the hub runs get, unless their backend or whoever spawns them says otherwise.",
    ),
    backends,
    checks,
    default_backend: defaultBackend,
    allowed_roots: allowedRoots,
  })
  .superRefine(({ default_backend, backends: added }, context) => {
    const message = checkDefault(default_backend, added);
    if (message !== undefined) context.addIssue({ code: "custom", path: ["default_backend"], message });
  });

/** Durations are in milliseconds, sizes in bytes. */
export type HubConfig = z.infer<typeof configSchema>;
