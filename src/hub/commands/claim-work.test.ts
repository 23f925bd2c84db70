import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../../model/agent.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function openPair(limits = {}) {
  const hub = openTestHub({ limits });
  return { hub, bmo: await hub.register("bmo"), r2: await hub.register("r2") };
}

function releases(hub: TestHub) {
  return hub.events
    .pageAfter(0, 1000)
    .flatMap((event) => (event.type === "WorkReleased" ? [`${event.data.task} ${event.data.reason}`] : []));
}

test("a task has one owner; that it is another's is an answer", async () => {
  const { hub, bmo, r2 } = await openPair();

  expect(await hub.work(r2, "claim", "chunking")).toEqual({ ok: true, owner: "r2" });
  expect(await hub.work(bmo, "claim", "chunking")).toEqual({ ok: false, owner: "r2" });
  expect(await hub.work(bmo, "release", "chunking")).toEqual({ ok: false, owner: "r2" });
  await hub.rename(r2, "r2d2");
  expect(await hub.work(bmo, "claim", "chunking")).toEqual({ ok: false, owner: "r2d2" });
});

test("of a hundred that claim in one batch one wins", async () => {
  const { hub } = await openPair();
  const agents = await Promise.all(Array.from({ length: 100 }, (_, i) => hub.register(`a${i}`)));

  const answers = await Promise.all(agents.map((agent) => hub.work(agent, "claim", "x")));

  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(new Set(answers.map(({ owner }) => owner)).size).toBe(1);
});

test("what is released is free, and releasing what nobody has is fine", async () => {
  const { hub, bmo, r2 } = await openPair();
  await hub.work(r2, "claim", "x");

  expect(await hub.work(r2, "release", "x")).toEqual({ ok: true, owner: null });
  const before = hub.events.lastSeq();
  expect(await hub.work(r2, "release", "x")).toEqual({ ok: true, owner: null });
  expect(hub.events.lastSeq()).toBe(before);
  expect(releases(hub)).toEqual(["x released"]);
  expect(await hub.work(bmo, "claim", "x")).toEqual({ ok: true, owner: "bmo" });
});

test("the person may release anybody's task", async () => {
  const { hub, bmo, r2 } = await openPair();
  await hub.work(r2, "claim", "x");

  expect(await hub.work(HUMAN_ID, "release", "x")).toEqual({ ok: true, owner: null });
  expect(await hub.work(bmo, "claim", "x")).toEqual({ ok: true, owner: "bmo" });
});

test("a lease ends after half an hour, unless it is renewed", async () => {
  const { hub, bmo, r2 } = await openPair();
  await hub.work(r2, "claim", "renewed");
  await hub.work(r2, "claim", "left");
  const since = hub.views.work.get("renewed")?.since;

  hub.clock.advance(20 * MINUTE);
  await hub.work(r2, "claim", "renewed");
  hub.clock.advance(11 * MINUTE);
  await hub.ring();

  expect(releases(hub)).toEqual(["left expired"]);
  expect(hub.views.work.get("renewed")?.since).toBe(since);
  expect(await hub.work(bmo, "claim", "left")).toEqual({ ok: true, owner: "bmo" });
  expect(await hub.work(bmo, "claim", "renewed")).toEqual({ ok: false, owner: "r2" });
});

test("a lease that is over is over before its alarm rings, and the alarm does not take it from the next owner", async () => {
  const { hub, bmo, r2 } = await openPair();
  await hub.work(r2, "claim", "x", 1000);
  hub.clock.advance(1000);

  expect(await hub.work(bmo, "claim", "x")).toEqual({ ok: true, owner: "bmo" });
  await hub.ring();

  expect(releases(hub)).toEqual(["x expired"]);
  expect(hub.views.work.get("x")).toMatchObject({ owner: bmo });
});

test("the alarm ends a lease at its last moment, and not before", async () => {
  const { hub, r2 } = await openPair();
  await hub.work(r2, "claim", "x", 1000);

  hub.clock.advance(999);
  await hub.execute("fireAlarm", { due: 1000, kind: "expire_claim", ref: "x" });
  expect(releases(hub)).toEqual([]);
  hub.clock.advance(1);
  await hub.ring();

  expect(releases(hub)).toEqual(["x expired"]);
});

test("a lease may be chosen, up to a day", async () => {
  const { hub, bmo, r2 } = await openPair();
  await hub.work(r2, "claim", "x", 1e300);

  hub.clock.advance(23 * HOUR);
  expect(await hub.work(bmo, "claim", "x")).toMatchObject({ ok: false });
  hub.clock.advance(HOUR);
  expect(await hub.work(bmo, "claim", "x")).toMatchObject({ ok: true });
});

test("tasks are bounded; renewing and taking over are not counted as more", async () => {
  const { hub, bmo, r2 } = await openPair({ workCap: 2 });
  await hub.work(r2, "claim", "a", 1000);
  await hub.work(r2, "claim", "b");

  expect(await refusal(hub.work(r2, "claim", "c"))).toMatchObject({
    code: "CLAIMS_FULL",
    details: { cap: 2 },
  });

  await hub.work(r2, "claim", "b");
  hub.clock.advance(1000);
  await hub.work(bmo, "claim", "a");
});
