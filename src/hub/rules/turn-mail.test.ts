import fc from "fast-check";
import { expect, test } from "vitest";
import { checkProperty } from "../../../test/fakes/check-property.js";
import type { Attention } from "../../model/attention.js";
import { type Deliverable, turnMail } from "./turn-mail.js";

const limits = { messages: 100, bytes: 1_000_000, fyiMessages: 20, fyiBytes: 8192 };

function mail(...sent: readonly { from: string; attention: Attention; size?: number }[]): Deliverable[] {
  return sent.map(({ from, attention, size = 10 }, i) => {
    const message = { from, attention, content: "x".repeat(size) };
    return { delivery: { seq: i + 1 }, stored: { seq: i + 1, data: { message } } } as unknown as Deliverable;
  });
}

const seqs = (carried: readonly Deliverable[]) => carried.map(({ stored }) => stored.seq);

test("everything that asks for a turn is carried, in order, and of the rest at most twenty", () => {
  const sent = Array.from({ length: 30 }, () => ({ from: "ann", attention: "fyi" as const }));
  const { carried, more } = turnMail(mail({ from: "bob", attention: "queue" }, ...sent), limits);
  expect(seqs(carried)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
  expect(more).toBe(10);
});

test("or eight kilobytes of it", () => {
  const big = { from: "ann", attention: "fyi" as const, size: 5000 };
  const { carried, more } = turnMail(mail({ from: "bob", attention: "queue" }, big, big), limits);
  expect(seqs(carried)).toEqual([1, 2]);
  expect(more).toBe(1);
});

test("what precedes a message of the same sender goes along, however much it is", () => {
  const before = Array.from({ length: 40 }, () => ({ from: "ann", attention: "fyi" as const }));
  const { carried } = turnMail(mail(...before, { from: "ann", attention: "interrupt" }), limits);
  expect(carried).toHaveLength(41);
});

const any = fc.array(
  fc.record({
    from: fc.constantFrom("a", "b", "c"),
    attention: fc.constantFrom<Attention>("queue", "fyi", "interrupt"),
    size: fc.integer({ min: 1, max: 4000 }),
  }),
  { maxLength: 60 },
);

test("whatever is sent, no message overtakes an earlier one of its sender", () => {
  checkProperty(
    fc.property(any, fc.integer({ min: 1, max: 60 }), (sent, messages) => {
      const deliverable = mail(...sent);
      const { carried, more } = turnMail(deliverable, { ...limits, messages });
      expect(carried.length + more).toBe(deliverable.length);
      expect(seqs(carried)).toEqual([...seqs(carried)].sort((x, y) => x - y));
      const left = deliverable.filter((one) => !carried.includes(one));
      for (const { stored } of left) {
        const overtaken = carried.some(
          (one) => one.stored.data.message.from === stored.data.message.from && one.stored.seq > stored.seq,
        );
        expect(overtaken).toBe(false);
      }
    }),
  );
});
