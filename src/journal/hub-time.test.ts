import { expect, test } from "vitest";
import { createTestClock } from "../../test/fakes/test-clock.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { startHubTime } from "./hub-time.js";

const HOUR_MS = 3_600_000;

test("hub time starts at the wall clock and goes on with the monotonic one", () => {
  const clock = createTestClock();
  const started = clock.wall();
  const { now } = startHubTime(clock, 0);
  expect(now() - started).toBeLessThan(1);

  clock.advance(1500);

  expect(now() - started).toBeGreaterThanOrEqual(1500);
  expect(now() - started).toBeLessThan(1502);
});

test("setting the wall clock while the hub runs moves it neither way", () => {
  const clock = createTestClock();
  const { now } = startHubTime(clock, 0);
  const before = now();

  clock.jumpWall(-HOUR_MS);
  expect(now() - before).toBeLessThan(2);
  clock.jumpWall(25 * HOUR_MS);
  expect(now() - before).toBeLessThan(2);
});

test("it is a whole number, and never goes back even if the monotonic clock did", () => {
  let monotonic = 10.7;
  const { now } = startHubTime({ wall: () => 1000, monotonic: () => monotonic }, 0);
  monotonic += 5.5;
  expect(now()).toBe(1005);

  monotonic -= 3;

  expect(now()).toBe(1005);
});

test("across restarts with the wall clock set back, no event is earlier than the one before it", async () => {
  let hub = openTestHub();
  await hub.register();
  for (const jump of [-HOUR_MS, -24 * HOUR_MS, 2 * HOUR_MS, -1]) {
    hub.clock.advance(5000);
    await hub.register();
    hub.clock.jumpWall(jump);
    hub = await hub.restart();
    await hub.register();
  }

  const events = hub.events.pageAfter(0, 100);
  const times = events.map(({ hubTime }) => hubTime);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(hub.now()).toBeGreaterThanOrEqual(times.at(-1) ?? Number.POSITIVE_INFINITY);
  // `at` is what the clock said, for people: it did go back.
  expect(events.some(({ at }, i) => at < (events[i - 1]?.at ?? 0))).toBe(true);
});
