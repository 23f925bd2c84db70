import fc from "fast-check";
import { expect, test } from "vitest";
import { checkAsyncProperty } from "../../test/fakes/check-property.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { createFeed, type Follower } from "./feed.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Enough turns of the event loop for a follower to take all that there is. */
async function turns(n = 20) {
  for (let i = 0; i < n; i++) await turn();
}

function openFeed(): { hub: TestHub; follow: (after: number) => { seqs: number[]; follower: Follower } } {
  const hub = openTestHub();
  const feed = createFeed({ events: hub.events, onCommitted: hub.onCommitted });
  return {
    hub,
    follow(after) {
      const seqs: number[] = [];
      const follower = feed.follow({
        after,
        deliver(events) {
          seqs.push(...events.map(({ seq }) => seq));
          return true;
        },
      });
      return { seqs, follower };
    },
  };
}

let names = 0;
/** Two events. */
const write = (hub: TestHub) => hub.register(`a${++names}`);

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test("a reader gets what happened after its place, then what happens", async () => {
  const { hub, follow } = openFeed();
  for (const name of ["a", "b", "c"]) await hub.register(name);

  const { seqs, follower } = follow(2);
  await turns();
  expect(seqs).toEqual(range(3, 6));
  await hub.register("d");

  expect(seqs).toEqual(range(3, 8));
  expect(follower.place()).toBe(8);
});

test("a reader that is far behind is given pages, with turns for others in between", async () => {
  const { hub, follow } = openFeed();
  await Promise.all(Array.from({ length: 500 }, () => write(hub)));
  const { seqs } = follow(0);

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
  const follower = feed.follow({
    after: 0,
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
  follower.resume();
  await turns();
  await hub.register("d");

  expect(seqs).toEqual(range(1, 8));
});

test("a closed reader gets nothing, not even what it was behind on", async () => {
  const { hub, follow } = openFeed();
  await hub.register("a");
  const behind = follow(0);
  behind.follower.close();
  const live = follow(2);
  await turns();
  live.follower.close();
  live.follower.close();

  await hub.register("b");
  live.follower.resume();
  await turns();

  expect(behind.seqs).toEqual([]);
  expect(live.seqs).toEqual([]);
});

test("a reader may close itself while it is given events", async () => {
  const { hub } = openFeed();
  const feed = createFeed({ events: hub.events, onCommitted: hub.onCommitted });
  const seqs: number[] = [];
  const follower = feed.follow({
    after: 0,
    deliver(events) {
      seqs.push(...events.map(({ seq }) => seq));
      follower.close();
      return false;
    },
  });
  await hub.register("a");
  await turns();
  follower.resume();
  await hub.register("b");
  await turns();

  expect(seqs).toEqual([1, 2]);
});

test("no cursor is open while a reader handles its events: the journal can be written", async () => {
  const { hub } = openFeed();
  await Promise.all(Array.from({ length: 150 }, () => write(hub)));
  const feed = createFeed({ events: hub.events, onCommitted: hub.onCommitted });
  let seen = 0;
  feed.follow({
    after: 0,
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
      const follower = feed.follow({
        after,
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
          follower.resume();
        }
      }
      await Promise.all(writes);
      hasRoom = true;
      follower.resume();
      for (let i = 0; i < 100 && follower.place() < hub.events.lastSeq(); i++) await turn();
      follower.close();

      expect(seqs).toEqual(range(after + 1, hub.events.lastSeq()));
    }),
    { runs: 100 },
  );
}, 60_000);
