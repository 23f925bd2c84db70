import { expect, test } from "vitest";
import { linkMail } from "../../test/fakes/scripted-link-hub.js";
import { createTestClock } from "../../test/fakes/test-clock.js";
import type { Batch, Frame } from "../model/link.js";
import { createPeerRate } from "./peer-rate.js";

const batch = (from: number, count: number): Batch => ({
  epoch: "e1",
  low: from,
  frames: Array.from({ length: count }, (_, i): Frame => {
    const n = from + i;
    return { n, kind: "mail", mail: linkMail(`m${n}`, `m-${n}`) };
  }),
});

const ackOf = ({ epoch, frames }: Batch) => ({ epoch, upTo: frames.at(-1)?.n ?? 0, digest: null });

function openRate(perMinute: number) {
  const clock = createTestClock();
  const rate = createPeerRate(clock, perMinute);
  return {
    clock,
    rate,
    /** The numbers that are taken of a batch now; none when it is refused. */
    take(peer: string, whole: Batch): number[] {
      const part = rate.cut(peer, whole);
      rate.addFrames(peer, part, ackOf(part));
      return part.frames.map(({ n }) => n);
    },
  };
}

test("without a limit everything passes", () => {
  const { rate, take } = openRate(0);
  for (let n = 0; n < 1000; n++) rate.addMessage("r2d2");
  expect(take("r2d2", batch(1, 64))).toHaveLength(64);
});

test("so many messages of one peer pass in a minute, whichever minute it is; another peer has its own", () => {
  const { rate, clock } = openRate(3);
  const send = () => rate.addMessage("r2d2");
  send();
  clock.advance(30_000);
  send();
  send();
  expect(send).toThrow(expect.objectContaining({ code: "RATE_LIMITED" }) as Error);
  rate.addMessage("c3po");

  clock.advance(31_000);
  send();
  expect(send).toThrow(/r2d2" may send 3 messages a minute/);
});

test("a refusal says when to come again, and then there is room", () => {
  const { rate, clock } = openRate(1);
  rate.addMessage("r2d2");
  let wait = 0;
  try {
    rate.addMessage("r2d2");
  } catch (error) {
    wait = (error as { details: { retry_after_ms: number } }).details.retry_after_ms;
  }
  expect(wait).toBeGreaterThan(59_000);
  expect(wait).toBeLessThanOrEqual(61_000);
  clock.advance(wait);
  rate.addMessage("r2d2");
});

test("of a batch as much is taken as there is room for, and the rest later, in order", () => {
  const { take, clock } = openRate(10);
  expect(take("r2d2", batch(1, 24))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(() => take("r2d2", batch(11, 14))).toThrow(
    expect.objectContaining({ code: "RATE_LIMITED" }) as Error,
  );
  clock.advance(61_000);
  expect(take("r2d2", batch(11, 14))).toHaveLength(10);
});

test("what comes again because an ack was lost counts once", () => {
  const { take } = openRate(10);
  for (let again = 0; again < 5; again++) expect(take("r2d2", batch(1, 6))).toHaveLength(6);
  expect(take("r2d2", batch(1, 12))).toHaveLength(10);
});

test("receipts and void frames are no mail", () => {
  const { take } = openRate(1);
  take("r2d2", batch(1, 1));
  const frames: Frame[] = [
    { n: 2, kind: "void" },
    { n: 3, kind: "receipt", receipt: { id: "m", from: "a", state: "seen", at: 0 } },
  ];
  expect(take("r2d2", { epoch: "e1", low: 2, frames })).toEqual([2, 3]);
});
