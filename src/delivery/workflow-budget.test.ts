import { expect, test } from "vitest";
import { type HostedHub, openHostedHub } from "../../test/fakes/hosted-hub.js";
import { run, stateOf, statesOf } from "../../test/fakes/workflow-hub.js";
import type { TurnUsage } from "../model/turn.js";

/* What the steps of a workflow use together: at its budget no further step begins, in the very decision that ends the last. */

async function office() {
  const hub = await openHostedHub({ limits: { workflowBudget: { usd: 1 } } });
  const { id: bob } = await hub.spawn({ name: "bob" });
  await hub.until(() => hub.state(bob) === "idle");
  const id = await run(hub, bob, { a: {}, b: { after: ["a"] }, c: { after: ["a"] } });
  return { hub, id, bob };
}

const turns = (hub: HostedHub) => hub.runtime.agents.flatMap((agent) => agent.turns);

async function turn(hub: HostedHub, nth: number, usage: TurnUsage) {
  await hub.until(() => turns(hub).length === nth, `turn ${nth}`);
  hub.runtime.turn().take();
  hub.runtime.turn().respond();
  const before = hub.happened("TurnEnded").length;
  hub.runtime.turn().end({ usage });
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
