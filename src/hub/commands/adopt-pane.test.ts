import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../../model/agent.js";

const pane = { target: "%1", pid: 7 };
const how = { by: HUMAN_ID, pane, backend: "claude-code", permissions: "ask" as const };
const inPane = { backend: "claude-code", runtime: "tmux", permissions: "ask" };

test("an agent that is adopted stays who it is, and is let go as it was", async () => {
  const hub = openTestHub();
  const ana = await hub.register("ana", { backend: "claude" });
  const before = hub.views.roster.byId(ana);

  await hub.execute("adoptPane", { ...how, agent: ana });

  const adopted = { target: "%1", pid: 7, bridged: true };
  expect(hub.views.roster.byId(ana)).toMatchObject({ ...before, ...inPane, adopted });
  expect(hub.views.roster.hostedCount()).toBe(1);

  await hub.execute("letGoPane", { agent: ana, why: "its process ended" });

  expect(hub.views.roster.byId(ana)).toMatchObject({ ...before, backend: "claude-code" });
  expect(hub.views.roster.hostedCount()).toBe(0);
});

test("one that has a pane, and one for which there is no room, is refused", async () => {
  const hub = openTestHub({ limits: { hosted: 1, hostedReserve: 0 } });
  const [ana, bob] = [await hub.register("ana"), await hub.register("bob")];
  await hub.execute("adoptPane", { ...how, agent: ana });

  expect((await refusal(hub.execute("adoptPane", { ...how, agent: ana }))).code).toBe("TARGET_INVALID");
  expect((await refusal(hub.execute("adoptPane", { ...how, agent: bob }))).code).toBe("HOSTED_LIMIT");
});

test("a kill lets go of it: its mail waits, and what it has of a turn is not given to it again", async () => {
  const hub = openTestHub();
  const [ann, ana] = [await hub.register("ann"), await hub.register("ana")];
  await hub.execute("adoptPane", { ...how, agent: ana });
  const typed = await hub.send(ann, ana, "typed");
  const turn = { agent: ana, turn: "t" };
  await hub.execute("offerTurn", { ...turn, route: "pane", continues: false, noted: false });
  await hub.execute("recordTaken", { ...turn, evidence: "pane_took_it", pointer: false });
  const waiting = await hub.send(ann, ana, "waiting");

  await hub.execute("recordGone", { agent: ana, reason: "killed" });

  expect(hub.views.roster.byId(ana)).toMatchObject({ goneAt: null, runtime: null, adopted: null });
  expect(hub.receipt(typed.messageId).state).toBe("finished");
  expect(hub.receipt(waiting.messageId).state).toBe("accepted");
});

test("asked to shut down it is told, as an agent that a person started", async () => {
  const hub = openTestHub();
  const ana = await hub.register("ana");
  await hub.execute("adoptPane", { ...how, agent: ana });

  const { hosted } = await hub.execute("shutdownAgent", { agent: ana, by: HUMAN_ID });

  expect(hosted).toBe(false);
});
