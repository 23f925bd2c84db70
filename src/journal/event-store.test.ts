import { expect, onTestFinished, test } from "vitest";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { type HubEvent, upcast, upcasters } from "../model/events.js";

test("a sequence number is never used twice, even when the newest events are gone", async () => {
  const before = openTestHub();
  for (const name of ["a", "b", "c"]) await before.register(name);
  const last = before.events.lastSeq();
  before.db.exec(`DELETE FROM event WHERE seq > 2`);
  before.db.exec(`DELETE FROM agent; DELETE FROM credential`);

  const hub = await before.restart();
  expect(hub.events.lastSeq()).toBe(2);
  await hub.register("d");

  expect(hub.events.pageAfter(2, 10).map(({ seq }) => seq)).toEqual([last + 1, last + 2]);
});

test("a sequence number given to a command that was rolled back may be used: nobody has seen it", async () => {
  const hub = openTestHub();
  await hub.register("a", { credential: "taken" });
  const last = hub.events.lastSeq();

  await Promise.allSettled([hub.register("b", { credential: "taken" }), hub.register("c")]);

  expect(hub.events.pageAfter(last, 10).map(({ seq }) => seq)).toEqual([last + 1, last + 2]);
});

test("old versions are lifted one version at a time, from where they are", () => {
  const lifts = {
    Thing: [
      (data: unknown) => `${String(data)} → 2`,
      (data: unknown) => `${String(data)} → 3`,
      (data: unknown) => `${String(data)} → 4`,
    ],
  };

  expect(upcast("Thing", 1, "1", lifts)).toBe("1 → 2 → 3 → 4");
  expect(upcast("Thing", 3, "3", lifts)).toBe("3 → 4");
  expect(upcast("Thing", 4, "4", lifts)).toBe("4");
  expect(upcast("Other", 1, "1", lifts)).toBe("1");
});

test("what is read from the journal is lifted, in every way of reading it", async () => {
  const earlier = openTestHub();
  await earlier.register("alice");
  earlier.db
    .prepare(
      "INSERT INTO event (at, hub_time, type, v, subject, data) VALUES (0, 0, 'NameReleased', ?, NULL, ?)",
    )
    .run(1, JSON.stringify({ oldName: "bob" }));
  const hub = await earlier.restart();
  const seq = hub.events.lastSeq();
  const registry = upcasters as Record<string, ((data: unknown) => unknown)[]>;
  registry["NameReleased"] = [(data) => ({ name: (data as { oldName: string }).oldName, agent: "" })];
  onTestFinished(() => void Reflect.deleteProperty(registry, "NameReleased"));

  const lifted = { type: "NameReleased", data: { name: "bob", agent: "" } };
  expect(hub.events.get(seq)).toMatchObject(lifted);
  expect(hub.events.pageAfter(seq - 1, 10)).toMatchObject([lifted]);
});

test("events are stored with the version that this program writes", async () => {
  const hub = openTestHub();
  await hub.register("alice");

  expect(hub.db.prepare("SELECT DISTINCT v FROM event").pluck().all()).toEqual([1]);
});

test("an event is read as it was appended", async () => {
  const hub = openTestHub();
  const committed: HubEvent[] = [];
  hub.onCommitted((events) => committed.push(...events));

  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await hub.send(alice, bob, 'quotes " and \u2028 and 😀', { metadata: { deep: [{ x: null }] } });
  await hub.read(bob);

  expect(hub.events.pageAfter(0, 100)).toEqual(committed);
  expect(committed.map(({ seq }) => seq)).toEqual(committed.map((_, i) => i + 1));
});

test("a page that is read from the disk ends at its bytes, with one event at least", async () => {
  const before = openTestHub();
  const [a, b] = [await before.register("a"), await before.register("b")];
  const sent = await before.send(a, b, "x".repeat(1000));
  for (let n = 0; n < 3; n++) await before.send(a, b, "x".repeat(1000));
  const hub = await before.restart(); // It remembers nothing yet.
  const sizes = (bytes?: number) => hub.events.pageAfter(sent.seq - 1, 10, bytes).length;

  expect([sizes(1), sizes(2900), sizes(1e6), sizes()]).toEqual([1, 2, 4, 4]);
});

test("a time leads to the events from then on", async () => {
  const hub = openTestHub();
  const start = hub.clock.wall();
  expect(hub.events.seqBefore(start)).toBe(0);
  for (const name of ["a", "b", "c"]) {
    await hub.register(name); // Two events each: at 0, 10 and 20 s.
    hub.clock.advance(10_000);
  }

  expect(hub.events.seqBefore(start - 1)).toBe(0);
  expect(hub.events.seqBefore(start + 5_000)).toBe(2);
  expect(hub.events.seqBefore(start + 15_000)).toBe(4);
  expect(hub.events.seqBefore(start + 60_000)).toBe(6);
});
