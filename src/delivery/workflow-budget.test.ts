import { expect, test } from "vitest";
import { type HostedHub, openHostedHub } from "../../test/fakes/hosted-hub.js";
import { run, stateOf, statesOf, type WrittenStep } from "../../test/fakes/workflow-hub.js";
import type { TurnUsage } from "../model/turn.js";

/* What the steps of a workflow use together: at its budget no further step begins, in the very decision that ends the last. */

async function office(
  steps: Record<string, WrittenStep> = { a: {}, b: { after: ["a"] }, c: { after: ["a"] } },
) {
  const hub = await openHostedHub({ limits: { workflowBudget: { usd: 1 } } });
  const { id: bob } = await hub.spawn({ name: "bob" });
  await hub.until(() => hub.state(bob) === "idle");
  const id = await run(hub, bob, steps);
  return { hub, id, bob };
}

const turns = (hub: HostedHub) => hub.runtime.agents.flatMap((agent) => agent.turns);

async function turn(
  hub: HostedHub,
  nth: number,
  usage: TurnUsage,
  stop: "end_turn" | "refusal" = "end_turn",
) {
  await hub.until(() => turns(hub).length === nth, `turn ${nth}`);
  hub.runtime.turn().take();
  hub.runtime.turn().respond();
  const before = hub.happened("TurnEnded").length;
  hub.runtime.turn().end({ stop, usage });
  await hub.until(() => hub.happened("TurnEnded").length > before);
}

test("a workflow that has used its budget begins no further step until the person lets it go on", async () => {
  const { hub, id } = await office();
  await turn(hub, 1, { costUsd: 1.5 });

  expect(statesOf(hub, id)).toBe("a done, b pending, c pending");
  expect(hub.happened("BudgetReached").map(({ data }) => data)).toMatchObject([
    { kind: "workflow", key: id, budget: { usd: 1 } },
  ]);
  await hub.execute("decideBudget", { kind: "workflow", key: id, decision: "continue" });

  expect(statesOf(hub, id)).toBe("a done, b running, c running");
  await turn(hub, 2, { costUsd: 0.1 });
  await turn(hub, 3, { costUsd: 0.1 });
  await hub.until(() => stateOf(hub, id) === "done");
});

test("or ends it", async () => {
  const { hub, id } = await office();
  await turn(hub, 1, { costUsd: 1 });

  await hub.execute("decideBudget", { kind: "workflow", key: id, decision: "stop" });

  expect(statesOf(hub, id)).toBe("a done, b cancelled, c cancelled");
  expect(stateOf(hub, id)).toBe("cancelled");
});

test("a step that fails in the turn that used the budget up, and may try again, does so once the person lets it go on", async () => {
  const { hub, id } = await office({ a: { onFailure: { retry: 1 } }, b: { after: ["a"] } });
  await turn(hub, 1, { costUsd: 1.5 }, "refusal");

  expect(statesOf(hub, id)).toBe("a running, b pending");
  await hub.execute("decideBudget", { kind: "workflow", key: id, decision: "continue" });

  await turn(hub, 2, { costUsd: 0.1 });
  await turn(hub, 3, { costUsd: 0.1 });
  await hub.until(() => stateOf(hub, id) === "done");
  expect(hub.views.workflows.step(id, "a")).toMatchObject({ attempt: 2 });
});

test("and is cancelled with the workflow, if the person says so", async () => {
  const { hub, id } = await office({ a: { onFailure: { retry: 1 } }, b: { after: ["a"] } });
  await turn(hub, 1, { costUsd: 1.5 }, "refusal");

  await hub.execute("decideBudget", { kind: "workflow", key: id, decision: "stop" });

  expect(statesOf(hub, id)).toBe("a cancelled, b cancelled");
  expect(stateOf(hub, id)).toBe("cancelled");
});

test("a budget that is higher when the hub starts again lets what waited for it go on", async () => {
  const { hub, id } = await office();
  await turn(hub, 1, { costUsd: 1.5 });
  const killed = await hub.crash();
  await killed.close();
  const limits = { workflowBudget: { usd: 5 } };
  const again = await openHostedHub({ ...killed, limits, runtime: killed.runtime });

  await again.execute("reviewBudgets", {});

  expect(statesOf(again, id)).toBe("a done, b running, c running");
});
