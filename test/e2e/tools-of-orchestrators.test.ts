// The set `orchestrator`, with three agents that the hub runs.
import { afterEach, expect, test } from "vitest";
import { eventually, processesOf, reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { connectMcp } from "../fakes/mcp-client.js";
import { registerAgent } from "../fakes/member.js";

const yard = createHubYard();
afterEach(yard.clear);

type Status = { name: string; status: string; messages_pending: number; requests_pending: number };

async function startTeam() {
  const hub = await startHostingHub(yard);
  const agents = await Promise.all(
    ["codex", "gemini", "qwen"].map((name) => spawnAgent(hub, { name, project: yard.home() })),
  );
  const boss = await registerAgent(hub.http, hub.operator, { name: "boss", role: "orchestrator" });
  const mcp = await connectMcp(hub, boss.token, { set: "orchestrator" });
  return { hub, agents, boss, call: mcp.call };
}

const tell = (hub: HubProcess, name: string, message: string) =>
  hub.http.call("POST", `/api/agents/${name}/messages`, { token: hub.operator, body: { message } });

test("an orchestrator tells all three, hears from one, and ends them: one gently, one by force", async () => {
  const { hub, agents, boss, call } = await startTeam();
  const answer = JSON.stringify({ to: "boss", content: "all green" });

  expect(await call("broadcast", { content: "!say noted" })).toMatchObject({
    delivered_to: ["codex", "gemini", "qwen"],
    failed: [],
  });
  await tell(hub, "codex", `!tool send_message ${answer}`);
  expect(await call("wait_for_message", { from: "codex", timeout_seconds: 110 })).toMatchObject({
    message: { from: "codex", content: "all green" },
  });

  expect(await call("shutdown_agent", { agent: "gemini", reason: "We are done." })).toEqual({
    acknowledged: true,
  });
  const busy = await tell(hub, "qwen", "!stream 1000000");
  await reaches(hub, String(busy.json["message_id"]), "seen");
  expect(await call("kill_agent", { agent: "qwen" })).toEqual({ killed: true });

  const goneOf = (name: string) => boss.call("GET", `/api/agents/${name}`);
  for (const name of ["gemini", "qwen"])
    await eventually(async () => ((await goneOf(name)).status === 410 ? true : undefined), `${name} is gone`);
  const left = agents.filter(({ id }) => processesOf(id).length > 0);
  expect(left.map(({ name }) => name)).toEqual(["codex"]);
  expect(await call("kill_agent", { agent: "nobody" })).toMatchObject({
    killed: false,
    code: "AGENT_NOT_FOUND",
  });
});

test("get_agent_status counts the mail that waits and the requests that are open", async () => {
  const hub = await yard.start();
  const join = (name: string, role = "agent") => registerAgent(hub.http, hub.operator, { name, role });
  const [boss, ann, ben] = [await join("boss", "orchestrator"), await join("ann"), await join("ben")];
  await ann.send("ben", "one");
  const asked = { description: "review", timeout_seconds: 600 };
  await ann.call("POST", "/api/requests", { body: asked });
  const mcp = await connectMcp(hub, boss.token, { set: "orchestrator" });

  const { agents } = (await mcp.call("get_agent_status")) as { agents: Status[] };

  const counts = agents.map((one) => [one.name, one.messages_pending, one.requests_pending]);
  expect(counts).toEqual([
    ["ann", 0, 1],
    [ben.name, 2, 0],
    ["boss", 1, 0],
  ]);
});
