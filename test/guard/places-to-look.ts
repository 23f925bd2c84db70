/*
 * How a stranger goes through everything that the hub answers: for each route and each tool, what it asks for. A new one
 * needs a row here: the walk compares them with the contract.
 */

/** What a stranger may have heard of: names, and ids of messages, requests, permissions, turns and conversations. */
export type Known = { names: readonly string[]; agentIds: readonly string[]; ids: readonly string[] };

/** What goes with the path; the parameters in it are filled with all that is known. */
type RoutePlaces = { queries?: readonly string[]; bodies?: (known: Known) => unknown[] };

const searches = (known: Known) =>
  known.names.flatMap((name) => [`?from=${name}`, `?to=${name}`, `?q=from:${name}`]);

export const routePlaces: Record<string, RoutePlaces | ((known: Known) => RoutePlaces)> = {
  "POST /api/agents": { bodies: () => [{ name: "mallory" }, { name: "ann" }, { name: "hub" }] },
  "GET /api/agents": { queries: ["", "?limit=1", "?team=red", "?team=nobody"] },
  "GET /api/directory": { queries: ["", "?limit=1", "?limit=1000", "?cursor=:1:ann/main"] },
  "GET /api/agents/:name": {},
  "PUT /api/agents/:name": { bodies: () => [{ model: "m" }, { name: "other" }, { team: "red" }] },
  "DELETE /api/agents/:name": {},
  "POST /api/agents/:name/heartbeat": {},
  "POST /api/agents/:name/messages": {
    bodies: ({ ids }) => [
      { message: "hello" },
      { message: "hello", sender: "ann" },
      { message: "other", id: "m-1", type: "request" },
      ...ids.flatMap((id) => [
        { message: "about that", reply_to: id },
        { message: "by that id", id },
      ]),
    ],
  },
  "GET /api/agents/:name/messages": { queries: ["", "?limit=1", "?after=0", "?before=9"] },
  "POST /api/agents/broadcast": { bodies: () => [{ message: "to all" }, { message: "x", team: "red" }] },
  "GET /api/messages/:id": {},
  "GET /api/messages/:id/thread": {},
  "GET /api/inbox": ({ names, ids }) => ({
    queries: [
      "",
      "?wait=0.01",
      "?after=0",
      ...names.map((name) => `?from=${name}`),
      ...ids.map((id) => `?request_id=${id}&wait=0.01`),
    ],
  }),
  "POST /api/inbox/ack": { bodies: ({ ids }) => [{ ids }, ...ids.map((id) => ({ ids: [id] }))] },
  "POST /api/inbox/hook": {
    bodies: () => [
      { moment: "start" },
      { moment: "context" },
      { moment: "stop" },
      { moment: "idle", wait: 0.01 },
      { moment: "idle", pointer: true, wait: 0.01 },
      { moment: "start", after: "resume" },
      { moment: "context", after: "compact" },
      { moment: "context", seen: ["1", "2-9", "zz"] },
    ],
  },
  "POST /api/agents/spawn": { bodies: () => [{ backend: "none" }, { backend: "none", name: "hal" }] },
  "GET /api/backends": {},
  "GET /api/doctor": {},
  "POST /api/doctor": {},
  "GET /api/folders": { queries: ["", "?path=/", "?path=~/"] },
  "POST /api/agents/adopt": { bodies: () => [{ target: "%1" }] },
  "GET /api/panes": { queries: ["", "?socket=huddle", "?socket=none"] },
  "POST /api/agents/:name/shutdown": { bodies: () => [{}, { reason: "enough" }] },
  "POST /api/agents/:name/kill": {},
  "POST /api/agents/pause": { bodies: () => [{}, { now: true }] },
  "POST /api/agents/resume": {},
  "POST /api/agents/:name/pause": { bodies: () => [{}, { now: true }] },
  "POST /api/agents/:name/resume": {},
  "GET /api/agents/:name/turns": { queries: ["", "?limit=1", "?before=99999"] },
  "GET /api/agents/:name/screen": {},
  "GET /api/live": ({ names }) => ({ queries: ["", ...names.map((name) => `?agent=${name}`)] }),
  "GET /api/permissions": { queries: ["", "?state=answered"] },
  "GET /api/needs-you": {},
  "POST /api/permissions/:id": { bodies: () => [{ decision: "once" }] },
  "GET /api/conversations": ({ ids }) => ({
    queries: ["", "?state=open", "?state=paused", "?state=frozen", ...ids.map((id) => `?id=${id}`)],
  }),
  "POST /api/conversations/:id": { bodies: () => [{ decision: "continue" }] },
  "GET /api/pairs": {},
  "GET /api/held": { queries: ["", "?limit=1"] },
  "GET /api/peers": {},
  "POST /api/peers/invite": {},
  "POST /api/peers/join": { bodies: () => [{ line: "huddle://127.0.0.1:1/x/y" }] },
  "POST /api/peers": { bodies: () => [{ name: "mallory", host: "127.0.0.1" }] },
  "DELETE /api/peers/:name": {},
  "POST /api/peers/:name/ping": {},
  "GET /api/peers/:name/agents": {},
  "GET /api/fabric": {},
  "POST /api/fabric/request": {},
  "POST /api/fabric/join": { bodies: () => [{ line: "huddle-fabric:x" }] },
  "DELETE /api/fabric": {},
  "POST /api/pairs/:from/:to": { bodies: () => [{ action: "pause" }, { action: "reset" }] },
  "POST /api/requests": {
    bodies: () => [
      { description: "mine", id: "eves" },
      ...["answered", "open"].map((id) => ({ description: "x", id })),
    ],
  },
  "GET /api/requests": {
    queries: ["", ...["open", "claimed", "answered", "expired"].map((status) => `?status=${status}`)],
  },
  "GET /api/requests/:id": {},
  "POST /api/requests/:id/claim": {},
  "POST /api/requests/:id/answer": { bodies: () => [{ message: "me too" }] },
  "POST /api/requests/:id/nudge": {},
  "POST /api/claims": {
    bodies: () =>
      ["the build", "the docs"].flatMap((task) => [
        { task, action: "claim" },
        { task, action: "release" },
      ]),
  },
  "GET /api/claims": {},
  "POST /api/agents/:name/handoff": {
    bodies: ({ names }) => names.map((to) => ({ to, task: "the login", summary: "mine" })),
  },
  "POST /api/memory": { bodies: () => [{ name: "notes.md", content: "eves" }] },
  "GET /api/memory": { queries: ["", "?limit=1"] },
  "GET /api/memory/:name": { queries: ["", "?version=1"] },
  "GET /api/obligations": ({ names }) => ({ queries: ["", ...names.map((name) => `?agent=${name}`)] }),
  "POST /api/tasks": {
    bodies: ({ names, ids }) => [
      ...names.map((agent) => ({ agent, prompt: "mine" })),
      ...ids.map((id) => ({ agent: "ann", prompt: "mine", id })),
      { backend: "none", prompt: "mine" },
    ],
  },
  "GET /api/checks": {},
  "POST /api/checks/:name/allow": { bodies: () => [{ project: "/" }] },
  "POST /api/checks/:name/forget": { bodies: () => [{}] },
  "GET /api/worktrees": {},
  "GET /api/worktrees/:name/diff": {},
  "POST /api/worktrees/:name/merge": {},
  "DELETE /api/worktrees/:name": { queries: ["", "?force=true"] },
  "GET /api/tasks": ({ names }) => ({
    queries: ["", "?limit=1", "?status=done", "?status=waiting", ...names.map((name) => `?agent=${name}`)],
  }),
  "GET /api/tasks/:id": { queries: ["", "?wait=0.01"] },
  "POST /api/tasks/:id/cancel": {},
  "POST /api/workflows": {
    bodies: ({ names, ids }) => [
      { name: "mine", steps: names.map((agent) => ({ agent, prompt: "mine" })) },
      ...ids.map((id) => ({ name: "mine", steps: [{ agent: "ann", prompt: "mine" }], id })),
    ],
  },
  "GET /api/workflows": { queries: ["", "?limit=1", "?status=done", "?status=waiting"] },
  "GET /api/workflows/:id": { queries: ["", "?wait=0.01", "?outputs=true"] },
  "GET /api/workflows/:id/steps/:step": {},
  "POST /api/workflows/:id/cancel": {},
  "POST /api/workflows/:id/steps/:step/retry": { bodies: () => [{}, { agent: "eve" }] },
  "POST /api/workflows/:id/steps/:step/approve": { bodies: () => [{}] },
  "POST /api/workflows/:id/steps/:step/reject": { bodies: () => [{}] },
  "GET /api/usage": {
    queries: ["", "?by=agent", "?by=task", "?by=workflow", "?by=conversation", "?by=day", "?limit=1"],
  },
  "POST /api/budgets/:kind/:key": { bodies: () => [{ decision: "continue" }, { decision: "stop" }] },
  "POST /api/sessions": { bodies: () => [{ cwd: "/tmp" }, { cwd: "/tmp", name: "ann", backend: "none" }] },
  "POST /api/sessions/:id/messages": {
    bodies: ({ agentIds }) => [
      { message: "hello", source: "user", applet: "x" },
      ...agentIds.map((fromSession) => ({ message: "hello", fromSession })),
    ],
  },
  "GET /api/sessions/:id/state": {},
  "GET /api/search/count": (known) => ({
    queries: ["", "?q=zebra", "?every=10", "?q=status:undelivered", "?turns=false", ...searches(known)],
  }),
  "GET /api/search": (known) => ({
    queries: [
      "",
      "?q=zebra",
      "?q=zebra%20context",
      "?q=%22the%20zebra%20letter%22",
      "?q=zebra&limit=1",
      "?q=zebra&receipts=true",
      "?q=zeb*&before=1d",
      ...["accepted", "held", "seen", "expired", "failed", "answered", "undelivered"].map(
        (state) => `?q=status:${state}`,
      ),
      ...["request", "response", "message", "system", "shutdown"].map((type) => `?type=${type}`),
      ...searches(known),
    ],
  }),
  "GET /api/messages": { queries: ["", "?limit=1", "?after=0&limit=500", "?since=2020-01-01T00:00:00Z"] },
  "POST /api/backup": { bodies: () => [{ file: "/nowhere/copy.db" }] },
  "POST /api/prune": { bodies: () => [{ before: "2020-01-01T00:00:00Z" }] },
  "POST /mcp": {
    queries: ["", "?tools=sessions"],
    bodies: () => [{ jsonrpc: "2.0", id: 1, method: "none" }],
  },
  "GET /api/health": {},
  "GET /api/health/details": {},
  "POST /auth/ticket": {},
  "POST /auth/code": {},
  "POST /auth/exchange": { bodies: () => [{ code: "A".repeat(43) }] },
  "GET /api/agent-socket": {},
  "GET /api/events": { queries: ["", "?after=0", "?after=999999999"] },
  "GET /openapi.json": {},
};

/** The arguments with which each tool is called. */
export const toolPlaces: Record<string, (known: Known) => Record<string, unknown>[]> = {
  list_agents: () => [{}, { team: "red" }],
  send_message: ({ names, ids }) => [
    ...names.map((to) => ({ to, content: "hello" })),
    ...ids.map((id) => ({ to: "ann", content: "about that", reply_to: id })),
  ],
  check_messages: ({ names }) => [{}, ...names.flatMap((name) => [{ from: name }, { agent_id: name }])],
  wait_for_message: ({ names, ids }) => [
    ...names.map((from) => ({ from, timeout_seconds: 0.01 })),
    ...ids.map((id) => ({ request_id: id, timeout_seconds: 0.01 })),
  ],
  broadcast: () => [{ content: "to all" }, { message: "to all" }, { content: "x", team: "red" }],
  request_task: () => [{ description: "mine", timeout_seconds: 1 }],
  claim_request: ({ ids }) => ids.map((id) => ({ request_id: id })),
  claim_work: () => [{ task: "the build" }],
  release_work: () => [{ task: "the build" }],
  set_name: () => [{ name: "eve" }, { name: "ann" }],
  set_tab_name: () => [{ name: "eve" }, { name: "hub" }],
  spawn_agent: () => [{ name: "x", backend: "none" }],
  message_status: ({ ids }) => ids.map((id) => ({ message_id: id })),
  get_agent_status: () => [{}],
  shutdown_agent: ({ names }) => names.map((agent) => ({ agent })),
  kill_agent: ({ names }) => names.map((agent) => ({ agent })),
  hand_off: ({ names }) => names.map((to) => ({ to, task: "the login", summary: "mine" })),
  share_memory: () => [{ name: "notes.md", content: "eves" }],
  get_memory: () => [{ name: "notes.md" }, { name: "none", version: 1 }],
  get_obligations: ({ names }) => [{}, ...names.map((agent) => ({ agent }))],
  assign_task: ({ names }) => names.map((agent) => ({ agent, prompt: "mine" })),
  get_task_result: ({ ids }) => ids.map((id) => ({ task_id: id, wait_seconds: 0.01 })),
  cancel_task: ({ ids }) => ids.map((id) => ({ task_id: id })),
  list_tasks: ({ names }) => [{}, { status: "done" }, ...names.map((agent) => ({ agent }))],
  create_workflow: ({ names }) => [
    { name: "mine", steps: names.map((agent) => ({ agent, prompt: "mine" })) },
  ],
  get_workflow: ({ ids }) => ids.map((id) => ({ workflow_id: id, wait_seconds: 0.01 })),
  cancel_workflow: ({ ids }) => ids.map((id) => ({ workflow_id: id })),
  retry_step: ({ ids }) => ids.map((id) => ({ workflow_id: id, step: "plan" })),
  list_workflows: () => [{}, { status: "done" }, { status: "waiting" }],
  send_to_agent: ({ names }) => names.map((target) => ({ target, message: "hello" })),
  send_agent_message: ({ agentIds }) => agentIds.map((sessionId) => ({ sessionId, message: "hello" })),
  get_session_state: ({ agentIds, ids }) => [...agentIds, ...ids].map((sessionId) => ({ sessionId })),
  create_agent_session: () => [{ cwd: "/tmp" }, { cwd: "/tmp", backend: "none" }],
};
