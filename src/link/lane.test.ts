import { expect, test } from "vitest";
import { createTestTimers } from "../../test/fakes/test-timers.js";
import { HubError } from "../model/errors.js";
import { backoffMs } from "./backoff.js";
import { createLane } from "./lane.js";

type Came = "nothing" | "taken" | "behind" | Error;

/** A lane whose tries come to what the test says, one after the other; then nothing waits any more. */
function laneWith(...outcomes: Came[]) {
  const timers = createTestTimers();
  const tries: number[] = [];
  const failures: unknown[] = [];
  const lane = createLane({
    async attempt() {
      tries.push(timers.now());
      const came = outcomes.shift() ?? "nothing";
      if (came instanceof Error) throw came;
      return came;
    },
    onFailure: (error) => failures.push(error),
    clock: { wall: timers.now, monotonic: timers.now },
    after: timers.after,
    random: () => 1,
  });
  return { lane, timers, tries, failures, outcomes };
}

const away = () => new HubError("PEER_UNREACHABLE", "it is away");

/** Lets promises that are settled run. */
async function settled() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test("nothing is tried until something may wait, and then until nothing does, without a timer", async () => {
  const { lane, timers, tries } = laneWith("taken", "taken");
  await settled();
  expect(tries).toHaveLength(0);

  lane.wake();
  await settled();

  expect(tries).toEqual([0, 0, 0]);
  expect(timers.pending()).toBe(0);
});

test("work that comes while a try is under way is tried for once more", async () => {
  const { lane, tries } = laneWith("nothing", "taken");
  lane.wake();
  lane.wake();
  await settled();
  expect(tries).toHaveLength(1);
  lane.wake();
  await settled();
  expect(tries).toHaveLength(3);
});

test("pauses double from half a second to a minute, and start anew once something was taken", async () => {
  const { lane, timers, tries, outcomes } = laneWith(...Array.from({ length: 10 }, away));
  lane.wake();
  await settled();
  for (let second = 0; second < 600; second++) {
    timers.advance(500);
    await settled();
  }
  const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
  expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);

  outcomes.push(away(), "nothing");
  lane.wake();
  await settled();
  timers.advance(500);
  await settled();
  expect(tries).toHaveLength(13);
});

test("work does not shorten a pause, and the peer's own call ends it", async () => {
  const { lane, timers, tries, failures } = laneWith(away(), away());
  lane.wake();
  await settled();
  lane.wake();
  await settled();
  expect(tries).toHaveLength(1);

  timers.advance(300);
  lane.hurry();
  timers.advance(0);
  await settled();
  expect(tries).toEqual([0, 300]);
  expect(failures).toHaveLength(2);
});

test("however often the peer calls, it is tried every 200 ms at most", async () => {
  const { lane, timers, tries } = laneWith(...Array.from({ length: 100 }, away));
  lane.wake();
  for (let step = 0; step < 100; step++) {
    await settled();
    lane.hurry();
    timers.advance(10);
  }
  await settled();
  expect(tries).toEqual([0, 200, 400, 600, 800, 1000]);
});

test("a peer that is behind is asked again after 200 ms, and less and less often if it stays so", async () => {
  const { lane, timers, tries } = laneWith("behind", "behind", "behind", "taken");
  lane.wake();
  for (let step = 0; step < 40; step++) {
    await settled();
    timers.advance(100);
  }
  expect(tries).toEqual([0, 200, 700, 1700, 1700]);
});

test("a peer that says how long to wait is left alone for that long", async () => {
  const busy = new HubError("PEER_REFUSED", "later", { status: 429, retry_after_ms: 7000 });
  const { lane, timers, tries } = laneWith(busy);
  lane.wake();
  await settled();
  timers.advance(6999);
  await settled();
  expect(tries).toHaveLength(1);
  timers.advance(1);
  await settled();
  expect(tries).toHaveLength(2);
});

test("a lane that ended tries nothing more, in whichever mode it was", async () => {
  const pausing = laneWith(away());
  pausing.lane.wake();
  await settled();
  await pausing.lane.end();
  pausing.lane.wake();
  pausing.lane.hurry();
  pausing.timers.advance(100_000);
  await settled();
  expect(pausing.tries).toHaveLength(1);
  expect(pausing.timers.pending()).toBe(0);

  const working = laneWith("taken", "taken");
  working.lane.wake();
  await working.lane.end();
  expect(working.tries.length).toBeLessThan(2);
});

test.each([0, 0.5, 1])(
  "a pause is never longer than usual, and never shorter than three quarters of it (%d)",
  (random) => {
    for (const [failures, usual] of [
      [1, 500],
      [3, 2000],
      [30, 60_000],
    ] as const) {
      expect(backoffMs(failures, random)).toBeLessThanOrEqual(usual);
      expect(backoffMs(failures, random)).toBeGreaterThanOrEqual(usual * 0.75);
    }
  },
);
