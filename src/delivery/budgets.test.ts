import { expect, test } from "vitest";
import { type HostedHub, openHostedHub } from "../../test/fakes/hosted-hub.js";
import { refusal } from "../../test/fakes/refusal.js";
import type { HubLimits } from "../hub/context.js";
import { HUMAN_ID } from "../model/agent.js";
import type { TurnUsage } from "../model/turn.js";
import type { Budget } from "../model/usage.js";

async function openWorkplace(agentBudget: Budget) {
  const hub = await openHostedHub({ limits: { agentBudget } });
  const { id: bob } = await hub.spawn({ name: "bob" });
  const alice = await hub.register("alice");
  return { hub, alice, bob };
}

const turns = (hub: HostedHub) => hub.runtime.agents.flatMap((agent) => agent.turns);

/** One message, one turn that uses this. */
async function turn(hub: HostedHub, from: string, to: string, usage: TurnUsage) {
  const nth = turns(hub).length + 1;
  await hub.send(from, to, `do ${nth}`);
  await end(hub, to, nth, usage);
}

async function end(hub: HostedHub, agent: string, nth: number, usage: TurnUsage) {
  await hub.until(() => turns(hub).length === nth, `turn ${nth}`);
  hub.runtime.turn().take();
  hub.runtime.turn().respond();
  hub.runtime.turn().end({ usage });
  await hub.until(() => hub.state(agent) === "idle");
}

const decide = (hub: HostedHub, key: string, decision: "continue" | "stop") =>
  hub.execute("decideBudget", { kind: "agent", key, decision });

test("an agent that has used its budget begins no further turn, and the person is asked once", async () => {
  const { hub, alice, bob } = await openWorkplace({ usd: 1 });
  await turn(hub, alice, bob, { costUsd: 0.6 });
  expect(hub.happened("BudgetReached")).toEqual([]);
  await turn(hub, alice, bob, { costUsd: 0.6 });
  expect(hub.happened("BudgetReached").map(({ data }) => data)).toMatchObject([
    { kind: "agent", key: bob, budget: { usd: 1 }, used: { usd: 1.2, tokens: 0 } },
  ]);

  const waits = await hub.send(alice, bob, "do more");
  expect(waits).toMatchObject({
    state: "held",
    reason: '"bob" waits for the person: its budget of $1 is used up',
  });
  await hub.send(alice, bob, "and now!", { attention: "interrupt" });
  await hub.settled();
  expect(turns(hub)).toHaveLength(2);
  expect(await hub.inbox(HUMAN_ID)).toEqual([expect.stringContaining("huddle budget continue|stop bob")]);

  await decide(hub, bob, "continue");
  await end(hub, bob, 3, { costUsd: 0.9 });
  expect(hub.runtime.turn().prompt.text).toMatch(/do more[\s\S]*and now!/);
  await turn(hub, alice, bob, { costUsd: 0.1 });
  expect(hub.happened("BudgetReached")).toHaveLength(2);
  expect(await refusal(decide(hub, alice, "continue"))).toMatchObject({ code: "BUDGET_NOT_REACHED" });
});

test("one turn far beyond the budget is let go on with as much again from there", async () => {
  const { hub, alice, bob } = await openWorkplace({ tokens: 100 });
  await turn(hub, alice, bob, { inputTokens: 900, outputTokens: 100 });
  await decide(hub, bob, "continue");
  await turn(hub, alice, bob, { inputTokens: 50, outputTokens: 49 });
  expect(hub.happened("BudgetReached")).toHaveLength(1);
  await turn(hub, alice, bob, { outputTokens: 1 });
  expect(hub.happened("BudgetReached")).toHaveLength(2);
});

test("an agent that the person ends at its budget goes, and its mail comes back", async () => {
  const { hub, alice, bob } = await openWorkplace({ usd: 1 });
  await turn(hub, alice, bob, { costUsd: 1 });
  const { messageId } = await hub.send(alice, bob, "do more");
  await decide(hub, bob, "stop");
  await hub.until(() => hub.views.roster.byId(bob)?.goneAt !== null);
  expect(turns(hub)).toHaveLength(1);
  expect((await hub.inbox(alice)).join()).toContain(messageId);
  expect(hub.views.budgets.allReached()).toEqual([]);
});

test("a budget that is used up outlives the hub, unless the configuration has another since", async () => {
  const { hub, alice, bob } = await openWorkplace({ usd: 1 });
  await turn(hub, alice, bob, { costUsd: 1 });
  await hub.send(alice, bob, "do more");
  const again = await hub.crash();
  await again.execute("reviewBudgets", {});
  await again.settled();
  expect(turns(again)).toHaveLength(1);
  expect(again.happened("BudgetReached")).toEqual([]);

  const raised: Partial<HubLimits> = { agentBudget: { usd: 2 } };
  await again.close();
  const third = await openHostedHub({ ...again, limits: raised, runtime: again.runtime });
  await third.execute("reviewBudgets", {});
  await third.until(() => turns(third).length === 2);
});

test("without a budget nobody is asked, however much is used", async () => {
  const { hub, alice, bob } = await openWorkplace({});
  await turn(hub, alice, bob, { costUsd: 1e6, inputTokens: 1e12 });
  await turn(hub, alice, bob, {});
  expect(hub.happened("BudgetReached")).toEqual([]);
  expect(hub.views.usage.of("agent", bob)).toMatchObject({ costUsd: 1e6, turns: 2, uncosted: 1 });
});
