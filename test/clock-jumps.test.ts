import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentId } from "../src/model/agent.js";
import type { DeliveryState } from "../src/model/delivery.js";
import { checkAsyncProperty } from "./fakes/check-property.js";
import { openTestHub, type TestHub } from "./fakes/test-hub.js";

/*
 * Promise 7. Somebody sets the computer's clock, by −1 h … +1 day, between commands. Deadlines are those of a stopwatch
 * that the test keeps beside the hub: nothing may be early by it, nor late once the alarms have been asked for.
 */

const JUMPS = Number(process.env["HUDDLE_JUMPS"] ?? 200);
const JUMPS_PER_RUN = 50;
const HOUR_MS = 3_600_000;
const REOFFER_MS = 60_000;
/** The stopwatch and hub time are read at different moments. */
const SLACK_MS = 5;

const step = fc.record({
  jumpMs: fc.oneof(fc.integer({ min: -HOUR_MS, max: 0 }), fc.integer({ min: 0, max: 24 * HOUR_MS })),
  restart: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
  passMs: fc.constantFrom(0, 10, 900, 4_000, 30_000, 61_000),
  expiresInMs: fc.constantFrom(undefined, 1_000, 10_000, 45_000),
  to: fc.nat({ max: 2 }),
  reads: fc.boolean(),
  acks: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

type Sent = { id: string; seq: number; at: number; expiresInMs: number | undefined; to: AgentId };

async function openJumping() {
  let hub = openTestHub();
  const { clock } = hub;
  const stopwatch = clock.monotonic;
  const alice = await hub.register("alice");
  const others = await Promise.all(["bob", "carol", "dave"].map((name) => hub.register(name)));
  const sent: Sent[] = [];
  const read = new Map<AgentId, string[]>();
  const offers = new Map<string, number[]>();
  let uncountedMs = 0;

  /** A hub that was down cannot tell a clock that was set forward from time that passed: it is set back, here. */
  async function restart() {
    const ahead = clock.wall() - hub.now();
    if (ahead > 0) clock.jumpWall(-ahead - 1000);
    const [hubTime, time] = [hub.now(), stopwatch()];
    hub = await hub.restart();
    uncountedMs += stopwatch() - time - (hub.now() - hubTime);
  }

  async function readAs(agent: AgentId, acks: boolean) {
    const { messages } = await hub.read(agent);
    const seen = read.get(agent) ?? [];
    read.set(agent, [
      ...seen,
      ...messages.filter(({ repeated }) => !repeated).map(({ message }) => message.id),
    ]);
    for (const { message } of messages) {
      const times = offers.get(message.id) ?? [];
      if (hub.receipt(message.id).attempt > times.length) offers.set(message.id, [...times, stopwatch()]);
    }
    if (acks && messages.length > 0) await hub.ack(agent, ...messages.map(({ message }) => message.id));
  }

  return {
    async take({ jumpMs, restart: restarts, passMs, expiresInMs, to, reads, acks }: Step) {
      clock.jumpWall(jumpMs);
      clock.advance(passMs);
      if (restarts) await restart();
      const recipient = others[to] ?? "";
      const id = `m${sent.length}`;
      const at = stopwatch();
      const { seq } = await hub.send(alice, recipient, id, { id, expiresInMs });
      sent.push({ id, seq, at, expiresInMs, to: recipient });
      await hub.ring();
      for (const message of sent) checkExpiry(hub, message, stopwatch(), uncountedMs);
      if (reads) await readAs(recipient, acks);
    },
    check(): DeliveryState[] {
      const seqs = sent.map(({ seq }) => seq);
      expect(seqs, "numbered in the order of sending").toEqual(seqs.toSorted((a, b) => a - b));
      for (const [agent, ids] of read) {
        const expected = sent.filter(({ id, to }) => to === agent && ids.includes(id)).map(({ id }) => id);
        expect(ids, "read in the order of sending").toEqual(expected);
      }
      const times = hub.events.pageAfter(0, 100_000).map(({ hubTime }) => hubTime);
      expect(times, "hub time goes on").toEqual(times.toSorted((a, b) => a - b));
      checkOffers(offers);
      return sent.map(({ id }) => hub.receipt(id).state);
    },
    close: () => hub.close(),
  };
}

function checkExpiry(hub: TestHub, { id, at, expiresInMs }: Sent, now: number, uncountedMs: number) {
  const { state } = hub.receipt(id);
  const age = now - at;
  if (state === "expired") {
    expect(age, `${id} expired early`).toBeGreaterThanOrEqual((expiresInMs ?? Infinity) - SLACK_MS);
  } else if (state === "accepted") {
    const late = `${id} should have expired`;
    expect(age, late).toBeLessThan((expiresInMs ?? Infinity) + uncountedMs + SLACK_MS);
  }
}

/** A second attempt comes when the first is 60 s old by the stopwatch, and not before. */
function checkOffers(offers: ReadonlyMap<string, readonly number[]>) {
  for (const [id, times] of offers) {
    for (const [i, time] of times.slice(1).entries()) {
      const gap = time - (times[i] ?? 0);
      expect(gap, `${id} was offered again early`).toBeGreaterThanOrEqual(REOFFER_MS - SLACK_MS);
    }
  }
}

test(
  `${JUMPS} jumps of the clock reorder nothing and expire nothing early`,
  async () => {
    const ends = new Set<DeliveryState>();
    const steps = fc.array(step, { minLength: JUMPS_PER_RUN, maxLength: JUMPS_PER_RUN });
    await checkAsyncProperty(
      fc.asyncProperty(steps, async (taken) => {
        const jumping = await openJumping();
        for (const next of taken) await jumping.take(next);
        for (const end of jumping.check()) ends.add(end);
        await jumping.close();
      }),
      { runs: Math.ceil(JUMPS / JUMPS_PER_RUN) },
    );
    expect([...ends]).toEqual(expect.arrayContaining(["seen", "offered", "accepted", "expired"]));
  },
  60_000 + JUMPS * 100,
);
