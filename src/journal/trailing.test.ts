import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { dumpViews } from "../../test/fakes/test-journal.js";
import { createTightViews } from "../views/tight.js";
import { rebuildViews } from "./rebuild.js";

const rowsOf = (hub: TestHub, table: string) =>
  hub.db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();
const storedUpTo = (hub: TestHub) =>
  Number(hub.db.prepare("SELECT value FROM meta WHERE key = 'trailing'").pluck().get());

async function openWithMail() {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const { seq } = await hub.send(alice, bob, "hello", { id: "first" });
  await hub.read(bob);
  return { hub, alice, bob, seq };
}

test("what is kept in memory is not in the tables, and is known again after a restart", async () => {
  const { hub, alice, bob, seq } = await openWithMail();
  const [pair, handed] = [hub.views.pairs.get(alice, bob), hub.views.handed.since(bob, 0)];
  expect(["message", "pair", "handed"].map((table) => rowsOf(hub, table))).toEqual([0, 0, 0]);

  const again = await hub.restart();

  expect(pair).toMatchObject({ level: 0, seq });
  expect(again.views.pairs.get(alice, bob)).toEqual(pair);
  expect(handed).toHaveLength(1);
  expect(again.views.handed.since(bob, 0)).toEqual(handed);
  expect(again.views.messages.byId("first").map((found) => found.seq)).toEqual([seq]);
});

test("the same after a kill: the files are as the last commit left them", async () => {
  const { hub, alice, bob, seq } = await openWithMail();
  const file = join(tempFolder(), "huddle.db");
  for (const suffix of ["", "-wal"]) copyFileSync(hub.file + suffix, file + suffix);

  const again = openTestHub({ file, clock: hub.clock });

  expect(again.views.pairs.get(alice, bob)).toEqual(hub.views.pairs.get(alice, bob));
  expect(again.views.handed.since(bob, 0)).toEqual(hub.views.handed.since(bob, 0));
  // Not a second message: the id is known.
  expect((await again.send(alice, bob, "hello", { id: "first" })).seq).toBe(seq);
});

test("every thousand events they are stored, and only later ones are folded again", async () => {
  const { hub, alice, bob } = await openWithMail();
  const pair = hub.views.pairs.get(alice, bob);
  for (let i = 0; i < 1100; i++) await hub.execute("updateAgent", { agent: bob, project: `p${i}` });
  const later = await hub.sendTo(alice, "user");

  expect(storedUpTo(hub)).toBeGreaterThanOrEqual(1000);
  expect(storedUpTo(hub)).toBeLessThan(hub.events.lastSeq());
  expect(rowsOf(hub, "message")).toBe(1);
  const again = await hub.restart();
  expect(again.views.pairs.get(alice, bob)).toEqual(pair);
  expect(again.views.messages.byId("first")).toHaveLength(1);
  expect(again.views.messages.byId(later.messageId)).toHaveLength(1);
});

test("folding again what the rows hold already changes nothing", async () => {
  const { hub, alice, bob } = await openWithMail();
  await hub.send(alice, bob, "again").catch(() => {});
  await hub.read(bob);
  const before = dumpViews(hub.db, hub.views);
  hub.db.exec("UPDATE meta SET value = '0' WHERE key = 'trailing'");

  const again = await hub.restart();

  expect(dumpViews(again.db, again.views)).toEqual(before);
  rebuildViews(again.db, Object.values(createTightViews(again.db)));
  expect(dumpViews(again.db, createTightViews(again.db))).toEqual(before);
});

test("all of it, also where that is more than is read at once", async () => {
  const { hub, alice, bob } = await openWithMail();
  for (let i = 0; i < 1100; i++) await hub.execute("updateAgent", { agent: bob, project: `p${i}` });
  const later = await hub.send(alice, bob, "later");
  hub.db.exec("UPDATE meta SET value = '0' WHERE key = 'trailing'");

  const again = await hub.restart();

  expect(again.views.messages.byId(later.messageId)).toHaveLength(1);
});

test("a batch that was rolled back leaves what came before it", async () => {
  const { hub, alice, bob } = await openWithMail();
  const pair = hub.views.pairs.get(alice, bob);
  hub.db.exec("CREATE TEMP TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(ROLLBACK, 'no'); END");

  await expect(hub.send(alice, bob, "lost", { id: "lost" })).rejects.toThrow();

  hub.db.exec("DROP TRIGGER full");
  expect(hub.views.pairs.get(alice, bob)).toEqual(pair);
  expect(hub.views.messages.byId("first")).toHaveLength(1);
  expect(hub.views.messages.byId("lost")).toEqual([]);
  expect(hub.views.handed.since(bob, 0)).toHaveLength(1);
});

test("an agent that leaves takes its pairs with it, stored or not", async () => {
  const { hub, alice, bob } = await openWithMail();
  await hub.deregister(bob);

  expect(hub.views.pairs.get(alice, bob)).toBeUndefined();
  const again = await hub.restart();
  expect(again.views.pairs.get(alice, bob)).toBeUndefined();
});
