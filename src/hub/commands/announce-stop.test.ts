import { expect, test } from "vitest";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";
import type { AgentId } from "../../model/agent.js";
import type { RuntimeKind } from "../../model/hosting.js";

async function spawn(hub: TestHub, name: string, runtime: RuntimeKind): Promise<AgentId> {
  const spawned = {
    by: "human",
    name,
    backend: "scripted",
    runtime,
    project: "/",
    permissions: "ask",
  } as const;
  return (await hub.execute("spawnAgent", spawned)).id;
}

async function openCrowd() {
  const hub = openTestHub();
  const ids = {
    acp: await spawn(hub, "acp", "acp"),
    headless: await spawn(hub, "headless", "headless"),
    pane: await spawn(hub, "pane", "tmux"),
    dormant: await spawn(hub, "dormant", "acp"),
    ann: await hub.register("ann"),
    away: await hub.register("away"),
  };
  await hub.execute("recordPresence", { agent: ids.dormant, status: "dormant", evidence: "" });
  await hub.execute("recordPresence", { agent: ids.away, status: "offline", evidence: "" });
  return { hub, ids };
}

const stop = (hub: TestHub, withinMs = 30_000) => hub.execute("announceStop", { withinMs });
const unread = async (hub: TestHub, agent: AgentId) =>
  (await hub.read(agent)).messages.map(({ message }) => `${message.type}: ${message.content}`);

test("those that end with the hub are asked to finish, those that outlive it are told, and nobody who cannot read is", async () => {
  const { hub, ids } = await openCrowd();
  await stop(hub);

  for (const agent of [ids.acp, ids.headless]) {
    expect(await unread(hub, agent)).toEqual([
      "shutdown: The hub stops now: finish what you are at and end your turn within 30 s. Your mail waits; when the hub is back, you go on with it.",
    ]);
  }
  for (const agent of [ids.pane, ids.ann]) {
    expect(await unread(hub, agent)).toEqual([
      "system: The hub stops now: finish what you are at. Your mail waits, and comes when the hub is back.",
    ]);
  }
  for (const agent of [ids.dormant, ids.away]) expect(await unread(hub, agent)).toEqual([]);
});

test("a stop asks nobody to leave, and begins no turn", async () => {
  const { hub } = await openCrowd();
  await stop(hub);

  const events = hub.events.pageAfter(0, 1000);
  expect(events.filter(({ type }) => type === "ShutdownRequested")).toEqual([]);
  const said = events.flatMap((event) => (event.type === "MessageAccepted" ? [event.data.message] : []));
  expect(said.map(({ attention, notice, toName }) => [attention, notice, toName])).toEqual([
    ["fyi", "stop", "all"],
    ["fyi", "stop", "all"],
  ]);
});

test("with nobody there nothing is said", async () => {
  const hub = openTestHub();
  const before = hub.events.lastSeq();
  await stop(hub);
  expect(hub.events.lastSeq()).toBe(before);
});

test("what was said is taken back, handed out or not, and bounces to nobody", async () => {
  const { hub, ids } = await openCrowd();
  await hub.send(ids.away, ids.ann, "mail that stays");
  await stop(hub);
  await hub.read(ids.acp);
  const open = () => [ids.acp, ids.headless, ids.pane].map((agent) => hub.views.inbox.depth(agent));
  expect(open()).toEqual([1, 1, 1]);

  await hub.execute("withdrawStopNotice", {});

  expect(open()).toEqual([0, 0, 0]);
  expect(await hub.inbox(ids.ann)).toEqual(["mail that stays"]);
  const bounces = hub.events
    .pageAfter(0, 1000)
    .filter((event) => event.type === "MessageAccepted" && event.data.message.notice === "bounce");
  expect(bounces).toEqual([]);
  // Its alarm is gone with it.
  expect(hub.views.alarms.next()).toBeUndefined();
});

test("a hub that was killed while it stopped takes it back at its next start, and by the alarm at the latest", async () => {
  const { hub: before, ids } = await openCrowd();
  await stop(before);
  await before.read(ids.ann);

  const hub = await before.restart();
  await hub.execute("withdrawStopNotice", {});
  expect(await unread(hub, ids.ann)).toEqual([]);

  await stop(hub);
  await hub.read(ids.ann);
  hub.clock.advance(61_000);
  await hub.ring();
  expect(await unread(hub, ids.ann)).toEqual([]);
});
