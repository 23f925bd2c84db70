// No model ever reads a token: what it reads is kept in transcripts, and goes to its vendor.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hookMoments } from "../../src/model/hook.js";
import { toolsetNames } from "../../src/model/toolset.js";
import { startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { connectMcp, type McpMember } from "../fakes/mcp-client.js";
import { type Member, registerAgent } from "../fakes/member.js";

const yard = createHubYard();
let hub: HubProcess;
/** On a backend that the hub can start, on one that it cannot, an orchestrator, the operator. */
let callers: Member[];
let bob: Member;

beforeAll(async () => {
  hub = await startHostingHub(yard);
  const register = (name: string, fields = {}) =>
    registerAgent(hub.http, hub.operator, { name, project: yard.home(), ...fields });
  callers = [
    await register("ann", { backend: "scripted" }),
    await register("zed", { backend: "Zed Editor" }),
    await register("boss", { role: "orchestrator", backend: "scripted" }),
    { ...(await register("unused")), token: hub.operator },
  ];
  bob = await register("bob");
});
afterAll(() => yard.clear());

let calls = 0;
/** How each tool is called so that it does something. A new tool needs a row. */
const usual: Record<string, () => Record<string, unknown>[]> = {
  list_agents: () => [{}],
  send_message: () => [{ to: "bob", content: "hello" }],
  send_to_agent: () => [{ target: "bob", message: "hello" }],
  send_agent_message: () => [{ sessionId: bob.id, message: "hello" }],
  check_messages: () => [{}],
  wait_for_message: () => [{ timeout_seconds: 0.01 }],
  broadcast: () => [{ content: "hear" }, { message: "hear" }],
  request_task: () => [{ description: "help", timeout_seconds: 1 }],
  claim_request: () => [{ request_id: "req-none" }],
  claim_work: () => [{ task: "build" }],
  release_work: () => [{ task: "build" }],
  set_name: () => [{ name: `name-${++calls}` }],
  set_tab_name: () => [{ name: `name-${++calls}` }],
  message_status: () => [{ message_id: "none" }],
  spawn_agent: () => [
    { name: `child-${++calls}` },
    { name: `child-${++calls}`, backend: "scripted", message: "!say hi" },
    { name: "child", backend: "nope" },
  ],
  get_session_state: () => [{ sessionId: bob.id }],
  create_agent_session: () => [
    { cwd: yard.home() },
    { cwd: yard.home(), initialMessage: "!say hi" },
    { cwd: yard.home(), backend: "scripted" },
    { cwd: yard.home(), backend: "nope" },
    { cwd: "/nowhere" },
  ],
  get_agent_status: () => [{}],
  get_obligations: () => [{}, { agent: "bob" }],
  assign_task: () => [
    { agent: "bob", prompt: "help" },
    { backend: "scripted", name: `child-${++calls}`, prompt: "!say hi" },
    { backend: "nope", prompt: "help" },
  ],
  get_task_result: () => [{ task_id: "task-none" }],
  cancel_task: () => [{ task_id: "task-none" }],
  list_tasks: () => [{}],
  create_workflow: () => [
    { name: "one", steps: [{ agent: "bob", prompt: "help" }] },
    { name: "none", steps: [] },
  ],
  get_workflow: () => [{ workflow_id: "wf-none" }],
  cancel_workflow: () => [{ workflow_id: "wf-none" }],
  retry_step: () => [{ workflow_id: "wf-none", step: "one" }],
  list_workflows: () => [{}],
  share_memory: () => [{ name: `notes-${++calls}.md`, content: "mine" }],
  get_memory: () => [{ name: "none.md" }],
  hand_off: () => [{ to: "nobody", task: "the build", summary: "half of it" }],
  shutdown_agent: () => [{ agent: "nobody" }],
  kill_agent: () => [{ agent: "nobody" }],
};

async function everythingRead(mcp: McpMember): Promise<unknown[]> {
  const { client } = mcp;
  const { tools } = await client.listTools();
  const read: unknown[] = [client.getInstructions(), tools];
  for (const { name } of tools) {
    const rows = usual[name]?.();
    if (rows === undefined) throw new Error(`a row is missing: how is ${name} called?`);
    for (const args of [...rows, { nonsense: true }]) read.push([name, args, await mcp.call(name, args)]);
  }
  const { resources } = await client.listResources();
  for (const { uri } of resources) read.push(await client.readResource({ uri }));
  const { prompts } = await client.listPrompts();
  for (const { name } of prompts)
    read.push(await client.getPrompt({ name, arguments: { task: "t", to: "bob" } }));
  return [...read, resources, prompts];
}

describe("of what a model reads,", () => {
  test.each(toolsetNames)(
    "nothing of the set %s has a token in it, or names a file of the hub's",
    async (set) => {
      for (const [i, caller] of callers.entries()) {
        const mcp = await connectMcp(hub, caller.token, { set });
        for (const part of await everythingRead(mcp)) {
          const text = JSON.stringify(part) ?? "";
          expect(text).not.toMatch(/hud_/);
          // Where the hub keeps its files is no agent's business.
          if (i === 0) expect(text).not.toContain(hub.home);
        }
      }
    },
  );
});

test.each(hookMoments)("what a hook hands over at the moment %s has none either", async (moment) => {
  for (const { token } of callers) {
    const answer = await hub.http.call("POST", "/api/inbox/hook", { token, body: { moment } });
    expect(answer.text).not.toMatch(/hud_/);
  }
});

test("a session needs a backend that the hub knows: the caller's own, or one that is named", async () => {
  const [ann, zed] = callers;
  const sessions = await connectMcp(hub, zed?.token ?? "", { set: "sessions" });
  const cwd = yard.home();
  const before = await hub.http.call("GET", "/api/agents?limit=1000", { token: hub.operator });

  for (const backend of [undefined, "nope"]) {
    expect(await sessions.call("create_agent_session", { cwd, backend })).toMatchObject({
      isError: true,
      code: "BACKEND_UNKNOWN",
      available: expect.arrayContaining(["scripted"]) as unknown,
    });
  }

  const after = await hub.http.call("GET", "/api/agents?limit=1000", { token: hub.operator });
  expect(after.json["agents"]).toHaveLength((before.json["agents"] as unknown[]).length);
  const runs = await connectMcp(hub, ann?.token ?? "", { set: "sessions" });
  const created = await runs.call("create_agent_session", { cwd });
  expect(Object.keys(created).sort()).toEqual(["cwd", "name", "sessionId"]);
});
