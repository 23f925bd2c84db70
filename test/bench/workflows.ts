import { setTimeout as sleep } from "node:timers/promises";
import { hashToken } from "../../src/hub/rules/credentials.js";
import { HUMAN_ID } from "../../src/model/agent.js";
import { newUuid7 } from "../../src/model/uuid7.js";
import { registerAgent } from "../fakes/member.js";
import { PACE_MS } from "./echo.js";
import { buildRequest, openConnection } from "./http-connection.js";
import { hostingHub, openBell, spawnAgents } from "./inject.js";
import type { BenchHub, Lab } from "./lab.js";
import { type BenchJournal, openBenchJournal } from "./open-bench-journal.js";
import type { Measurement, Row } from "./row.js";
import { median, type Pair, summarize, takeTurns } from "./statistics.js";
import { within } from "./within.js";

const MESSAGE = "x".repeat(200);
const MANY = 1000;
const FEW = 100;
const RUNNING = 100;

/**
 * What workflows and tasks cost the hub. The first two rows go through its journal and deciders in this process, with an agent
 * that answers at once: what a driver records of a turn, without a process behind it.
 */
export const workflows: Measurement = {
  name: "workflows",
  run: async (lab) => [...(await steps(lab)), await restart(lab), await handOver(lab)],
};

async function steps(lab: Lab): Promise<Row[]> {
  const journal = openBenchJournal(lab.folder());
  lab.onClose(journal.close);
  const register = async (name: string) =>
    (await journal.execute("registerAgent", { name, credential: hashToken(name) })).id;
  const [alice, bob] = [await register("alice"), await register("bob")];
  await register("carl");
  const sends = async (count: number) => {
    const start = performance.now();
    for (let i = 0; i < count; i++)
      await journal.execute("sendMessage", { from: alice, to: "carl", content: MESSAGE });
    return ((performance.now() - start) * 1000) / count;
  };
  const chain = (count: number) => runChain(journal, bob, count);
  await sends(MANY);
  await chain(FEW);
  const rounds = lab.quick ? 3 : 7;
  const against = await takeTurns(
    rounds,
    () => sends(FEW),
    () => chain(MANY),
  );
  const linear = await takeTurns(
    rounds,
    () => chain(FEW),
    () => chain(MANY),
  );
  return [
    {
      what: "A step of 1,000 in a row, from the end of one turn to the end of the next",
      against: "a send, committed alone",
      unit: "µs",
      ...summarize(against),
      limit: { on: "ratio", is: "at most", bound: 4 },
    },
    {
      what: "A step of 1,000 in a row",
      against: "of 100",
      unit: "µs",
      ...summarize(linear),
      limit: { on: "ratio", is: "at most", bound: 1.2 },
    },
  ];
}

/** Steps one after the other, of one agent; answers the time of each. */
async function runChain({ execute, views }: BenchJournal, agent: string, count: number): Promise<number> {
  const nameOf = (n: number) => `step-${n}`;
  const { workflowId } = await execute("createWorkflow", {
    by: HUMAN_ID,
    name: "bench",
    steps: Array.from({ length: count }, (_, n) => ({
      name: nameOf(n),
      dependsOn: n === 0 ? [] : [nameOf(n - 1)],
      on: "success",
      prompt: MESSAGE,
      agent,
      agentName: "bob",
    })),
  });
  const start = performance.now();
  for (let n = 0; n < count; n++) {
    const turn = newUuid7();
    await execute("offerTurn", { agent, turn, route: "runtime", continues: false, noted: false });
    // As a driver does: what it has seen of a turn it records without waiting.
    await Promise.all([
      execute("recordTaken", { agent, turn, evidence: "acp_prompt", pointer: false }),
      execute("recordSeen", { agent, turn }),
      execute("recordTurnEnded", { agent, turn, stop: "end_turn", text: "done" }),
    ]);
  }
  const each = ((performance.now() - start) * 1000) / count;
  if (views.workflows.byId(workflowId)?.state !== "done") throw new Error("the workflow did not end");
  return each;
}

async function restart(lab: Lab): Promise<Row> {
  const [idle, busy] = [await prepareHome(lab, 0), await prepareHome(lab, RUNNING)];
  const start = (home: string) => async () => {
    const from = performance.now();
    const hub = await lab.hub({ home });
    const took = performance.now() - from;
    await lab.stop(hub);
    return took;
  };
  await takeTurns(1, start(idle), start(busy));
  return {
    what: `Restart with ${RUNNING} running workflows`,
    against: "with none",
    unit: "ms",
    ...summarize(await takeTurns(lab.quick ? 5 : 15, start(idle), start(busy))),
    limit: { on: "ratio", is: "at most", bound: 1.5 },
  };
}

async function prepareHome(lab: Lab, count: number): Promise<string> {
  const home = lab.folder();
  const hub = await lab.hub({ home });
  await registerAgent(hub.http, hub.join, { name: "bob" });
  const steps = Array.from({ length: 10 }, (_, n) => ({
    name: `s${n}`,
    agent: "bob",
    prompt: MESSAGE,
    ...(n === 0 ? {} : { depends_on: [`s${n - 1}`] }),
  }));
  for (let n = 0; n < count; n++) {
    const body = { name: `workflow ${n}`, steps };
    const { status, text } = await hub.http.call("POST", "/api/workflows", { token: hub.operator, body });
    if (status !== 201) throw new Error(`not created: ${text}`);
  }
  await lab.stop(hub);
  return home;
}

/** From the start of the call until the agent's process has the prompt. */
async function handOver(lab: Lab): Promise<Row> {
  const bell = await openBell(lab);
  const hub = await hostingHub(lab, bell.path);
  await spawnAgents(hub, ["bob"]);
  await within(30_000, "the agent to come up", bell.connected);
  const connection = openConnection(hub.port);
  lab.onClose(connection.close);
  const call = (path: string, body: Record<string, unknown>) =>
    connection.ask(buildRequest({ port: hub.port, method: "POST", path, token: hub.operator, body }));
  const timed = (path: string, body: Record<string, unknown>) => async () => {
    await within(5000, "the agent to be idle", untilIdle(hub));
    await sleep(PACE_MS);
    const start = performance.now();
    const [arrived] = await Promise.all([bell.rings("p").then(() => performance.now()), call(path, body)]);
    return arrived - start;
  };
  const message = timed("/api/agents/bob/messages", { message: MESSAGE });
  const task = timed("/api/tasks", { agent: "bob", prompt: MESSAGE });
  for (let i = 0; i < (lab.quick ? 30 : 100); i++) await takeTurns(1, message, task);
  const pairs: Pair[] = [];
  for (let round = 0; round < (lab.quick ? 3 : 7); round++) {
    const taken = await takeTurns(lab.quick ? 30 : 60, message, task);
    pairs.push({
      anchor: median(taken.map(({ anchor }) => anchor)),
      ours: median(taken.map(({ ours }) => ours)),
    });
  }
  return {
    what: "Assigning a task until a waiting ACP agent has the prompt, p50",
    against: "sending it a message",
    unit: "ms",
    ...summarize(pairs),
    limit: { on: "ratio", is: "at most", bound: 1.3 },
  };
}

async function untilIdle(hub: BenchHub): Promise<void> {
  for (;;) {
    const { json } = await hub.http.call("GET", "/api/agents/bob", { token: hub.operator });
    if (json["state"] === "idle") return;
    await sleep(1);
  }
}
