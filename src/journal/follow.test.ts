import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { checkAsyncProperty } from "../../test/fakes/check-property.js";
import { PATIENCE_MS } from "../../test/fakes/patience.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import type { HubEvent } from "../model/events.js";
import { follow } from "./follow.js";

const range = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

async function openWith(agents: number) {
  const hub = openTestHub();
  for (let i = 0; i < agents; i++) await hub.register(`a${i}`); // Two events each.
  return hub;
}

/** A store that a slice is put into as a whole, or not at all. */
function followInto(
  hub: TestHub,
  stored: number[],
  more: Partial<Parameters<typeof follow>[1]> & { before?: (events: readonly HubEvent[]) => unknown } = {},
) {
  const problems: unknown[] = [];
  const follower = follow(
    { events: hub.events, onCommitted: hub.onCommitted },
    {
      open: () => stored.at(-1) ?? 0,
      async take(events) {
        await more.before?.(events);
        stored.push(...events.map(({ seq }) => seq));
      },
      onProblem: (error) => problems.push(error),
      retryMs: 1,
      ...more,
    },
  );
  onTestFinished(follower.close);
  return { ...follower, problems };
}

test("it takes what is there and what comes, in slices, and goes on at its place after a restart", async () => {
  const hub = await openWith(150);
  const stored: number[] = [];
  const sizes: number[] = [];
  const first = followInto(hub, stored, { before: (events) => sizes.push(events.length) });
  expect(first.place()).toBeUndefined();
  await first.caughtUp();
  await hub.register("late");
  await first.caughtUp();
  expect(stored).toEqual(range(302));
  expect(first.place()).toBe(302);
  expect(sizes[0]).toBe(200);
  await first.close();
  await hub.register("unseen");
  expect(stored).toHaveLength(302);

  await followInto(hub, stored).caughtUp();
  expect(stored).toEqual(range(304));
});

test("nobody has to ask: what is committed is taken in a moment", async () => {
  const hub = await openWith(1);
  const stored: number[] = [];
  followInto(hub, stored);
  await expect.poll(() => stored, { timeout: PATIENCE_MS }).toEqual(range(2));
  await hub.register("b");
  await expect.poll(() => stored, { timeout: PATIENCE_MS }).toEqual(range(4));
});

test("what fails is reported once and tried again from the place that is stored, until it works", async () => {
  const hub = await openWith(3);
  const stored: number[] = [];
  let tries = 0;
  const follower = followInto(hub, stored, {
    before: () => {
      if (++tries < 4) throw new Error(`no room ${tries}`);
    },
  });
  await follower.caughtUp();
  expect(stored).toEqual(range(6));
  expect(follower.problems).toEqual([new Error("no room 1")]);

  tries = 3;
  await hub.register("d");
  await follower.caughtUp();
  expect(follower.problems).toHaveLength(1);
  tries = 2; // It worked in between, so this failure is a new one.
  await hub.register("e");
  await follower.caughtUp();
  expect(follower.problems).toEqual([new Error("no room 1"), new Error("no room 3")]);
  expect(stored).toEqual(range(10));
});

test("a place that cannot be had is asked for again", async () => {
  const hub = await openWith(1);
  const stored: number[] = [];
  let asked = 0;
  const follower = followInto(hub, stored, {
    open() {
      if (++asked < 3) throw new Error("locked");
      return 0;
    },
  });
  await follower.caughtUp();
  expect({ stored, asked, problems: follower.problems }).toEqual({
    stored: [1, 2],
    asked: 3,
    problems: [new Error("locked")],
  });
});

test("told that what it relies on failed, it opens again and takes what is missing", async () => {
  const hub = await openWith(2);
  const stored: number[] = [];
  const follower = followInto(hub, stored);
  await follower.caughtUp();
  stored.length = 2; // Lost, as when an index was rebuilt.
  follower.fail(new Error("gone"));
  await expect.poll(() => stored, { timeout: PATIENCE_MS }).toEqual(range(4));
  expect(follower.problems).toEqual([new Error("gone")]);
});

test("it tidies up when it has caught up, until there is no more to do, and events come first", async () => {
  const hub = await openWith(2);
  const stored: number[] = [];
  let left = 3;
  const seenAtTidy: number[] = [];
  const follower = followInto(hub, stored, {
    tidy() {
      seenAtTidy.push(stored.length);
      return --left > 0;
    },
  });
  follower.tidy();
  await expect.poll(() => left, { timeout: PATIENCE_MS }).toBe(0);
  expect(seenAtTidy).toEqual([4, 4, 4]);
  await hub.register("c");
  await follower.caughtUp();
  expect(left).toBe(0);
});

test("closed while it takes, it ends after that slice, and lets go whoever waits", async () => {
  const hub = await openWith(150);
  const stored: number[] = [];
  let isTaking = false;
  let release = () => {};
  const follower = followInto(hub, stored, {
    before: () => {
      isTaking = true;
      return new Promise<void>((resolve) => (release = resolve));
    },
  });
  const waiting = follower.caughtUp();
  await expect.poll(() => isTaking, { timeout: PATIENCE_MS }).toBe(true);
  const closed = follower.close();
  await waiting;
  release();
  await closed;
  expect(stored).toEqual(range(200));
  await follower.caughtUp();
  expect(follower.problems).toEqual([]);
});

test("whatever fails and whenever, each event is taken once and in order", async () => {
  const step = fc.constantFrom("write", "take fails", "open fails", "told", "ask", "tidy", "wait");
  await checkAsyncProperty(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const hub = openTestHub();
      const stored: number[] = [];
      const fails = { take: 0, open: 0 };
      const follower = followInto(hub, stored, {
        open() {
          if (fails.open-- > 0) throw new Error("open");
          return stored.at(-1) ?? 0;
        },
        before() {
          if (fails.take-- > 0) throw new Error("take");
        },
        tidy: () => false,
      });
      let names = 0;
      for (const what of steps) {
        if (what === "write") await hub.register(`n${names++}`);
        else if (what === "take fails") fails.take = 1;
        else if (what === "open fails") fails.open = 1;
        else if (what === "told") follower.fail(new Error("told"));
        else if (what === "ask") void follower.caughtUp();
        else if (what === "tidy") follower.tidy();
        else await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await follower.caughtUp();
      expect(stored).toEqual(range(hub.events.lastSeq()));
      await follower.close();
    }),
    { runs: 25 },
  );
}, 300_000);
