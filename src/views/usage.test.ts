import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { rebuildViews } from "../journal/rebuild.js";
import { HUMAN_ID } from "../model/agent.js";
import type { TurnStop, TurnUsage } from "../model/turn.js";
import { usageKinds } from "../model/usage.js";

type Told = { usage?: TurnUsage; sessionUsage?: TurnUsage; stop?: TurnStop };

async function openWorkshop() {
  const hub = openTestHub();
  const where = { project: "/p", backend: "claude", permissions: "ask", runtime: "acp" } as const;
  const { id: bob } = await hub.execute("spawnAgent", { by: HUMAN_ID, name: "bob", ...where });
  let turns = 0;
  /** What waits for bob is one turn, which uses this. */
  async function turn({ stop = "end_turn", ...told }: Told) {
    const turn = { agent: bob, turn: `t-${++turns}` };
    await hub.execute("offerTurn", { ...turn, route: "runtime", continues: false, noted: false });
    await hub.execute("recordTaken", { ...turn, evidence: "acp_prompt", pointer: false });
    await hub.execute("recordTurnEnded", { ...turn, stop, text: "done", ...told });
  }
  return { hub, bob, turn };
}

const all = (hub: TestHub) => usageKinds.map((kind) => hub.views.usage.list(kind, { limit: 100 }));

test("each turn counts for its agent, its task, its conversation and the day", async () => {
  const { hub, bob, turn } = await openWorkshop();
  const task = await hub.assign(bob, "count");
  await turn({ usage: { inputTokens: 5, outputTokens: 7, costUsd: 0.25 } });
  const { messageId } = await hub.send(HUMAN_ID, bob, "hello");
  await turn({ usage: { inputTokens: 1 } });

  const { usage } = hub.views;
  expect(usage.of("agent", bob)).toMatchObject({
    inputTokens: 6,
    outputTokens: 7,
    costUsd: 0.25,
    turns: 2,
    uncosted: 1,
  });
  expect(usage.of("task", task)).toMatchObject({ inputTokens: 5, costUsd: 0.25, turns: 1, uncosted: 0 });
  expect(usage.of("conversation", messageId)).toMatchObject({ inputTokens: 1, costUsd: null, turns: 1 });
  const today = new Date(hub.clock.wall()).toLocaleDateString("sv");
  expect(usage.list("day", { limit: 9 })).toMatchObject([{ key: today, turns: 2, inputTokens: 6 }]);
  expect(usage.list("conversation", { limit: 1 })).toMatchObject([{ key: messageId }]);
});

test("a prompt that nobody took was no turn", async () => {
  const { hub, bob, turn } = await openWorkshop();
  await hub.send(HUMAN_ID, bob, "hello");
  await turn({ stop: "not_taken" });
  expect(hub.views.usage.of("agent", bob)).toBeUndefined();
});

test("of what a vendor tells of the whole session, only what is new counts for the turn", async () => {
  const { hub, bob, turn } = await openWorkshop();
  const told = [
    { costUsd: 0.5, inputTokens: 100 },
    { costUsd: 0.75, inputTokens: 300 },
    // Another session: it counts from its own beginning.
    { costUsd: 0.125, inputTokens: 10 },
  ];
  for (const sessionUsage of told) {
    await hub.send(HUMAN_ID, bob, "go");
    await turn({ usage: { outputTokens: 1 }, sessionUsage });
  }
  expect(hub.views.usage.of("agent", bob)).toMatchObject({
    costUsd: 0.875,
    inputTokens: 310,
    outputTokens: 3,
  });

  const again = await hub.restart();
  expect(again.views.usage.toldOf(bob)).toEqual({ costUsd: 0.125, inputTokens: 10 });
});

test("a journal from before usage was kept is added up as it is opened, as by a rebuild", async () => {
  const file = join(tempFolder(), "huddle.db");
  copyFileSync(join("test", "guard", "journal-4.db"), file);
  const hub = openTestHub({ file });
  const added = all(hub);
  expect(added.flat().length).toBeGreaterThan(1);
  rebuildViews(hub.db, Object.values(hub.views));
  expect(all(hub)).toEqual(added);
});
