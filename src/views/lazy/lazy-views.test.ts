import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openHostedHub } from "../../../test/fakes/hosted-hub.js";
import { letGoOfClosedFiles } from "../../../test/fakes/let-go.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";
import type { Database } from "../../journal/sqlite/port.js";
import { type LazyView, type LazyViews, openLazyViews } from "./lazy-views.js";
import { readStats, statsView } from "./stats.js";

const fileOf = (hub: TestHub) => join(dirname(hub.file), "views.db");

/** Keeps every event's number, in the order in which it was given them. */
const seqsView: LazyView = {
  name: "seqs",
  version: 1,
  create: (db) => db.exec("CREATE TABLE seen (n INTEGER PRIMARY KEY, seq INTEGER NOT NULL)"),
  drop: (db) => db.exec("DROP TABLE IF EXISTS seen"),
  fold(db) {
    const insert = db.prepare("INSERT INTO seen (seq) VALUES (?)");
    return (events) => {
      for (const { seq } of events) insert.run(seq);
    };
  },
};
const seqsIn = (db: Database) => db.prepare<[], number>("SELECT seq FROM seen ORDER BY n").pluck().all();

function open(hub: TestHub, views: readonly LazyView[] = [seqsView]): LazyViews & { problems: unknown[] } {
  const problems: unknown[] = [];
  const lazy = openLazyViews({
    file: fileOf(hub),
    views,
    events: hub.events,
    onCommitted: hub.onCommitted,
    onProblem: (problem) => problems.push(problem),
  });
  let isOpen = true;
  const close = () => {
    if (isOpen) lazy.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...lazy, close, problems };
}

async function openWithHistory(agents = 10) {
  const hub = openTestHub();
  await Promise.all(Array.from({ length: agents }, (_, i) => hub.register(`a${i}`)));
  return hub;
}

const range = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

test("a lazy view has a file of its own, without fsync, and the journal's has no trace of it", async () => {
  const hub = await openWithHistory();
  const lazy = open(hub);
  await lazy.caughtUp();

  expect(lazy.db.name).not.toBe(hub.file);
  expect(lazy.db.pragma("synchronous", { simple: true })).toBe(0);
  expect(hub.db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'seen'").get()).toBeUndefined();
});

test("it follows the journal, in order and without a gap, over many slices", async () => {
  const hub = await openWithHistory(450);
  const lazy = open(hub);
  await lazy.caughtUp();
  await hub.register();
  await lazy.caughtUp();

  expect(seqsIn(lazy.db)).toEqual(range(902));
  expect(lazy.place()).toBe(902);
});

test("a slice is stored with its cursor, or not at all", async () => {
  const hub = await openWithHistory(150);
  const failing: LazyView = {
    ...seqsView,
    fold(db) {
      const fold = seqsView.fold(db);
      return (events) => {
        fold(events);
        if (events.some(({ seq }) => seq === 250)) throw new Error("cannot fold");
      };
    },
  };
  const lazy = open(hub, [failing]);
  await patiently(() => expect(lazy.problems).toHaveLength(1));

  expect(lazy.problems).toEqual([new Error("cannot fold")]);
  expect(lazy.place()).toBe(200);
  expect(seqsIn(lazy.db)).toEqual(range(200));
});

test("after a restart it goes on from its cursor and folds nothing twice", async () => {
  const before = await openWithHistory();
  const first = open(before);
  await first.caughtUp();
  await before.register(); // The view is closed before it gets to this one.
  first.close();

  const hub = await before.restart();
  await hub.register();
  const lazy = open(hub);
  expect(lazy.place()).toBe(20);
  await lazy.caughtUp();

  expect(seqsIn(lazy.db)).toEqual(range(24));
});

test("a lost file is rebuilt", async () => {
  const hub = await openWithHistory();
  const first = open(hub);
  await first.caughtUp();
  first.close();
  rmSync(fileOf(hub));

  const lazy = open(hub);
  await lazy.caughtUp();

  expect(seqsIn(lazy.db)).toEqual(range(20));
});

test.each([
  ["at its beginning", 0],
  ["after its first page", 4096],
])("a file that is damaged %s is rebuilt", async (_where, from) => {
  const hub = await openWithHistory();
  const first = open(hub);
  await first.caughtUp();
  first.close();
  const bytes = readFileSync(fileOf(hub));
  writeFileSync(fileOf(hub), bytes.fill(0xa5, from));

  const lazy = open(hub);
  await lazy.caughtUp();

  expect(lazy.problems).toEqual([]);
  expect(seqsIn(lazy.db)).toEqual(range(20));
});

test("a view of another version is folded again, and its neighbour is left alone", async () => {
  const hub = await openWithHistory();
  const first = open(hub, [seqsView, statsView]);
  await first.caughtUp();
  first.db.exec("UPDATE stat SET n = 1000 WHERE type = 'AgentRegistered'");
  first.close();

  const doubled: LazyView = {
    ...seqsView,
    version: 2,
    fold(db) {
      const fold = seqsView.fold(db);
      return (events) => fold(events.map((event) => ({ ...event, seq: event.seq * 2 })));
    },
  };
  const lazy = open(hub, [doubled, statsView]);
  await lazy.caughtUp();

  expect(seqsIn(lazy.db)).toEqual(range(20).map((seq) => seq * 2));
  expect(readStats(lazy.db)["AgentRegistered"]).toBe(1000);
});

test("a view that is ahead of its journal belongs to another and is folded again", async () => {
  const hub = await openWithHistory();
  const first = open(hub);
  await first.caughtUp();
  first.close();

  const other = openTestHub();
  await other.register();
  writeFileSync(fileOf(other), readFileSync(fileOf(hub)));
  const lazy = open(other);
  await lazy.caughtUp();

  expect(seqsIn(lazy.db)).toEqual([1, 2]);
});

test("the journal can be written while a view folds, and senders are not made to wait for it", async () => {
  const hub = await openWithHistory(300);
  const writing: LazyView = {
    ...seqsView,
    fold(db) {
      const fold = seqsView.fold(db);
      return (events) => {
        hub.db.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('written', 'meanwhile')");
        fold(events);
      };
    },
  };
  const lazy = open(hub, [writing]);
  const caughtUp = lazy.caughtUp();

  await hub.register();
  expect(lazy.place()).toBeLessThan(602); // It lags, and the answer did not wait for it.
  await caughtUp;

  expect(lazy.problems).toEqual([]);
  expect(seqsIn(lazy.db).slice(0, 600)).toEqual(range(600));
});

test("a closed view takes no more events", async () => {
  const hub = await openWithHistory();
  const lazy = open(hub);
  await lazy.caughtUp();
  lazy.close();
  const { mtimeMs } = statSync(fileOf(hub));

  await hub.register();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await letGoOfClosedFiles();

  expect(lazy.problems).toEqual([]);
  expect(statSync(fileOf(hub)).mtimeMs).toBe(mtimeMs);
  expect(existsSync(`${fileOf(hub)}-wal`)).toBe(false);
});

test("the statistics count what happened, a batch by its messages", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const sent = await Promise.all(["1", "2", "3"].map((text) => hub.send(alice, bob, text)));
  await hub.read(bob);
  await hub.ack(bob, ...sent.slice(0, 2).map(({ messageId }) => messageId));
  await hub.deregister(bob);
  const lazy = open(hub, [statsView]);
  await lazy.caughtUp();

  expect(readStats(lazy.db)).toMatchObject({
    AgentRegistered: 2,
    MessageAccepted: 4, // the three, and the bounce of the last
    MessagesOffered: 3,
    MessagesSeen: 2,
    DeliveriesFailed: 1,
    AgentDeregistered: 1,
  });
});

test("of an agent that the hub runs, too: what a turn took, finished and gave back counts by its messages", async () => {
  const hub = await openHostedHub();
  hub.runtime.obey = "answer";
  const bob = await hub.spawn({ name: "bob" });
  await hub.until(() => hub.state(bob.id) === "idle");
  const ann = await hub.register("ann");
  await Promise.all(["1", "2", "3"].map((text) => hub.send(ann, bob.id, text)));
  await hub.until(() => hub.happened("MessagesFinished").length > 0);
  const lazy = open(hub, [statsView]);
  await lazy.caughtUp();

  const messages = (events: readonly { data: { deliveries: readonly unknown[] } }[]) =>
    events.reduce((sum, { data }) => sum + data.deliveries.length, 0);
  const [injected, finished] = [hub.happened("MessagesInjected"), hub.happened("MessagesFinished")];
  expect(injected.some(({ data }) => data.deliveries.length > 1)).toBe(true);
  expect(readStats(lazy.db)).toMatchObject({
    MessagesInjected: messages(injected),
    MessagesFinished: messages(finished),
  });
});

test("a file that turns out to be damaged while it is used is rebuilt, and answers what it can meanwhile", async () => {
  const hub = await openWithHistory(1500);
  const before = open(hub);
  await before.caughtUp();
  before.close();
  await letGoOfClosedFiles();
  const bytes = readFileSync(fileOf(hub));
  const page = bytes.length / 2 - ((bytes.length / 2) % 4096);
  writeFileSync(fileOf(hub), bytes.fill(0xa5, page, page + 4096));
  const lazy = open(hub);
  await lazy.caughtUp();
  const read = lazy.reading((db) => () => seqsIn(db), []);

  const meanwhile = read();

  expect(meanwhile).toEqual([]);
  await patiently(() => expect(read().length).toBe(hub.events.lastSeq()));
  expect(lazy.problems).toHaveLength(1);
});

test("a folder in its place is refused by name and left alone", async () => {
  const hub = await openWithHistory(1);
  mkdirSync(join(fileOf(hub), "of somebody"), { recursive: true });

  expect(() => open(hub)).toThrow(`rm -r ${fileOf(hub)}`);
  expect(existsSync(join(fileOf(hub), "of somebody"))).toBe(true);
});
