import fc from "fast-check";
import { expect, test } from "vitest";
import { checkAsyncProperty } from "../../test/fakes/check-property.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import type { HubEvent } from "../model/events.js";
import type { FeedReader } from "../model/feed.js";
import { createFeed } from "./feed.js";
import { createSignal } from "./signal.js";

const fail = (error: unknown) => {
  throw error;
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Enough turns of the event loop for a reader to take all that there is. */
async function turns(n = 20) {
  for (let i = 0; i < n; i++) await turn();
}

function openFeed(): { hub: TestHub; read: (after: number) => { seqs: number[]; reader: FeedReader } } {
  const hub = openTestHub();
  const feed = createFeed({ events: hub.events, onCommitted: hub.onCommitted });
  return {
    hub,
    read(after) {
      const seqs: number[] = [];
      const reader = feed.read({
        after,
        onFailure: fail,
        deliver(events) {
          seqs.push(...events.map(({ seq }) => seq));
          return true;
        },
      });
      return { seqs, reader };
    },
  };
}

let names = 0;
/** Two events. */
const write = (hub: TestHub) => hub.register(`a${++names}`);

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test("a reader gets what happened after its place, then what happens", async () => {
  const { hub, read } = openFeed();
  for (const name of ["a", "b", "c"]) await hub.register(name);

  const { seqs, reader } = read(2);
  await turns();
  expect(seqs).toEqual(range(3, 6));
  await hub.register("d");

  expect(seqs).toEqual(range(3, 8));
  expect(reader.place()).toBe(8);
});

test("what is announced after it was read is given once", async () => {
  const hub = openTestHub();
  const committed = createSignal<readonly HubEvent[]>();
  const feed = createFeed({ events: hub.events, onCommitted: committed.listen });
  await write(hub);
  const pages: number[][] = [];
  feed.read({
    after: 0,
    onFailure: fail,
    deliver(events) {
      pages.push(events.map(({ seq }) => seq));
      return true;
    },
  });
  await turns();

  await write(hub);
  const events = hub.events.pageAfter(0, 100);
  committed.emit(events.slice(0, 2));
  committed.emit(events.slice(1));

  expect(pages).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test("a reader that is far behind is given pages, with turns for others in between", async () => {
  const { hub, read } = openFeed();
  await Promise.all(Array.from({ length: 500 }, () => write(hub)));
  const { seqs } = read(0);

  await turn();
  await turn();
  expect(seqs.length).toBeGreaterThan(0);
  expect(seqs.length).toBeLessThanOrEqual(400);

  await turns();
  expect(seqs).toEqual(range(1, 1000));
});

test("a full reader is given nothing until it says so, and then goes on from its place", async () => {
  const { hub } = openFeed();
  const feed = createFeed({ events: hub.events, onCommitted: hub.onCommitted });
  const seqs: number[] = [];
  let hasRoom = true;
  const reader = feed.read({
    after: 0,
    onFailure: fail,
    deliver(events) {
      seqs.push(...events.map(({ seq }) => seq));
      return hasRoom;
    },
  });
  await turns();
  hasRoom = false;
  await hub.register("a");
  await hub.register("b");
  await hub.register("c");
  await turns();
  expect(seqs).toEqual([1, 2]);

  hasRoom = true;
  reader.resume();
  await turns();
  await hub.register("d");

  expect(seqs).toEqual(range(1, 8));
});

test("a closed reader gets nothing, not even what it was behind on", async () => {
  const { hub, read } = openFeed();
  await hub.register("a");
  const behind = read(0);
  behind.reader.close();
  const live = read(2);
  await turns();
  live.reader.close();
  live.reader.close();

  await hub.register("b");
  live.reader.resume();
  await turns();

  expect(behind.seqs).toEqual([]);
  expect(live.seqs).toEqual([]);
});

test("a reader may close itself while it is given events", async () => {
  const { hub } = openFeed();
  const feed = createFeed({ events: hub.events, onCommitted: hub.onCommitted });
  const seqs: number[] = [];
  const reader = feed.read({
    after: 0,
    onFailure: fail,
    deliver(events) {
      seqs.push(...events.map(({ seq }) => seq));
      reader.close();
      return false;
    },
  });
  await hub.register("a");
  await turns();
  reader.resume();
  await hub.register("b");
  await turns();

  expect(seqs).toEqual([1, 2]);
});

test("no cursor is open while a reader handles its events: the journal can be written", async () => {
  const { hub } = openFeed();
  await Promise.all(Array.from({ length: 150 }, () => write(hub)));
  const feed = createFeed({ events: hub.events, onCommitted: hub.onCommitted });
  let seen = 0;
  feed.read({
    after: 0,
    onFailure: fail,
    deliver(events) {
      seen += events.length;
      hub.db.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('written', 'meanwhile')");
      return true;
    },
  });
  await turns();
  await write(hub);

  expect(seen).toBe(302);
});

type Act = "write" | "burst" | "turn" | "fill" | "drain";

test("readers that start, fill up and go on at any moment see every event once, in order", async () => {
  const { hub } = openFeed();
  const feed = createFeed({ events: hub.events, onCommitted: hub.onCommitted });
  const act = fc.constantFrom<Act>("write", "burst", "turn", "fill", "drain");
  await checkAsyncProperty(
    fc.asyncProperty(fc.array(act, { maxLength: 30 }), fc.nat({ max: 300 }), async (acts, back) => {
      const after = Math.max(0, hub.events.lastSeq() - back);
      const seqs: number[] = [];
      let hasRoom = true;
      const reader = feed.read({
        after,
        onFailure: fail,
        deliver(events) {
          seqs.push(...events.map(({ seq }) => seq));
          return hasRoom;
        },
      });
      const writes: Promise<unknown>[] = [];
      for (const next of acts) {
        if (next === "write") writes.push(write(hub));
        else if (next === "burst") for (let i = 0; i < 30; i++) writes.push(write(hub));
        else if (next === "turn") await turn();
        else if (next === "fill") hasRoom = false;
        else {
          hasRoom = true;
          reader.resume();
        }
      }
      await Promise.all(writes);
      hasRoom = true;
      reader.resume();
      for (let i = 0; i < 100 && reader.place() < hub.events.lastSeq(); i++) await turn();
      reader.close();

      expect(seqs).toEqual(range(after + 1, hub.events.lastSeq()));
    }),
    { runs: 100 },
  );
}, 300_000);

test("a reader whose events cannot be read is closed and told so; the hub and the others go on", async () => {
  const hub = openTestHub();
  await write(hub);
  let isDamaged = true;
  const failures: unknown[] = [];
  const feed = createFeed({
    events: {
      lastSeq: hub.events.lastSeq,
      pageAfter(...page) {
        if (isDamaged) throw new Error("malformed");
        return hub.events.pageAfter(...page);
      },
    },
    onCommitted: hub.onCommitted,
  });
  const seqs: number[] = [];
  const deliver = (events: readonly { seq: number }[]) => {
    seqs.push(...events.map(({ seq }) => seq));
    return true;
  };
  feed.read({ after: 0, deliver, onFailure: (error) => failures.push(error) });
  await turns();
  await write(hub);
  expect({ seqs, failures }).toEqual({ seqs: [], failures: [new Error("malformed")] });

  isDamaged = false;
  feed.read({ after: 0, deliver, onFailure: fail });
  await turns();
  expect(seqs).toEqual(range(1, 4));
});
