// Document 003's end to end: an orchestrator and three agents, over MCP, with full messaging.
import { afterEach, expect, test } from "vitest";
import { eventually, processesOf, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard } from "../fakes/hub-process.js";
import { connectMcp } from "../fakes/mcp-client.js";
import { registerAgent } from "../fakes/member.js";

const yard = createHubYard();
afterEach(yard.clear);

type Assigned = { task_id: string; agent: string; status: string };
type Result = { status: string; output: string };
type Answered = { agents: { name: string; current_task?: string; task_id?: string }[] };

const tool = (name: string, input: unknown) => `!tool ${name} ${JSON.stringify(input)}`;

test("tasks are assigned, findings shared before them, help is asked for, claimed and given, and all end", async () => {
  const hub = await startHostingHub(yard, { set: ["cooldown.quick=1ms"] });
  const project = yard.home();
  const agents = await Promise.all(
    ["codex", "gemini", "qwen"].map((name) => spawnAgent(hub, { name, project, tools: "agent" })),
  );
  const boss = await registerAgent(hub.http, hub.operator, { name: "boss", role: "orchestrator" });
  const { call } = await connectMcp(hub, boss.token, { set: "orchestrator" });
  const assign = async (agent: string, prompt: string) =>
    ((await call("assign_task", { agent, prompt })) as Assigned).task_id;
  const result = async (task_id: string) =>
    (await call("get_task_result", { task_id, wait_seconds: 60 })) as Result;

  // A finding that is shared stands before the next task of whom it was written to.
  const found = { to: "gemini", content: "Found path traversal in mcp-server.ts:45. Can you verify?" };
  const sharing = await result(await assign("codex", tool("send_message", found)));
  expect(sharing.status).toBe("done");
  expect(JSON.parse(sharing.output)).toMatchObject({ delivered: true });
  const recalled = await result(await assign("gemini", "!recall"));
  expect(recalled.output).toContain("Can you verify?");

  // Help is asked for by one, claimed and given by another.
  const asking = await result(
    await assign("codex", tool("request_task", { description: "Verify the fix", timeout_seconds: 600 })),
  );
  const { request_id } = JSON.parse(asking.output) as { request_id: string };
  const claiming = await result(await assign("qwen", tool("claim_request", { request_id })));
  expect(JSON.parse(claiming.output)).toMatchObject({ claimed: true });
  await result(
    await assign("qwen", tool("send_message", { to: "codex", content: "Verified.", reply_to: request_id })),
  );
  const { json } = await boss.call("GET", "/api/requests?status=answered");
  expect(json["requests"]).toMatchObject([{ request_id, claimed_by: "qwen" }]);

  // What they are at is the hub's own word.
  const hanging = await assign("gemini", "!hang");
  await eventually(async () => {
    const { status } = (await call("get_task_result", { task_id: hanging })) as Result;
    return status === "running" ? true : undefined;
  }, "gemini is at it");
  const listed = (await call("list_agents")) as Answered;
  expect(listed.agents.find(({ name }) => name === "gemini")?.current_task).toBe("!hang");
  const statuses = (await call("get_agent_status")) as Answered;
  expect(statuses.agents.find(({ name }) => name === "gemini")?.task_id).toBe(hanging);
  expect(await call("list_tasks", { status: "running" })).toMatchObject({ tasks: [{ task_id: hanging }] });

  expect(await call("cancel_task", { task_id: hanging })).toMatchObject({ status: "cancelled" });
  expect(await call("broadcast", { content: "!say noted" })).toMatchObject({
    delivered_to: ["codex", "gemini", "qwen"],
  });
  expect(await call("shutdown_agent", { agent: "codex" })).toEqual({ acknowledged: true });
  for (const agent of ["gemini", "qwen"])
    expect(await call("kill_agent", { agent })).toEqual({ killed: true });
  await eventually(
    async () => (agents.every(({ id }) => processesOf(id).length === 0) ? true : undefined),
    "no process is left",
  );
});
