import fc from "fast-check";
import { expect, test } from "vitest";
import { checkAsyncProperty } from "../../test/fakes/check-property.js";
import { type Act, openLossyLink, type Side } from "../../test/fakes/lossy-link.js";
import { groupBy } from "../model/group-by.js";

const side = fc.constantFrom<Side>("bmo", "r2d2");
const at = fc.nat({ max: 30 });
const agent = fc.nat({ max: 1 });

const act = fc.oneof<fc.WeightedArbitrary<Act>[]>(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("send"),
      side,
      from: agent,
      to: agent,
      count: fc.integer({ min: 1, max: 8 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("pump"), side }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("deliver"), at, again: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("carry"), side }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("lose"), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("read"), side, agent }) },
);
const some = (most: number) => fc.array(act, { minLength: 3, maxLength: most });

/** What happens before a copy is made, until it is put back, and then. */
const restoring = fc
  .tuple(some(15), some(20), some(15), fc.option(some(10)))
  .map(([before, between, then, again]): Act[] => [
    ...before,
    { do: "copy" },
    ...between,
    { do: "restore" },
    ...then,
    ...(again === null ? [] : [{ do: "restore" } as const, ...again]),
  ]);

async function tryLink(victim: Side, acts: readonly Act[]) {
  const link = await openLossyLink(victim);
  for (const act of acts) await link.perform(act);
  await link.heal();
  const directions = [
    { from: "bmo", to: "r2d2" },
    { from: "r2d2", to: "bmo" },
  ] as const;
  const told = directions.map(({ from, to }) => {
    const received = link.receivedBy(to);
    const numbers = new Set(received.map(({ n }) => n));
    const sent = link.sentBy(from);
    return {
      to,
      received,
      known: new Set(sent.map(({ n }) => n)),
      missing: sent.filter(({ n }) => !numbers.has(n)).length,
      open: sent.filter(({ state }) => state === "accepted" || state === "offered"),
      lost: link.gapsOf(to).reduce((sum, gap) => sum + gap, 0),
    };
  });
  await link.close();
  return told;
}

type Told = Awaited<ReturnType<typeof tryLink>>[number];

/**
 * Nothing comes twice, and what one agent sends another comes in the order in which it was sent. What its sender, put back to a copy,
 * does not know any more has no place in that order: it may still be under way when the next message is sent, and come behind it.
 */
function expectOrder({ received, known }: Told) {
  for (const own of groupBy(received, ({ pair }) => pair).values()) {
    const numbers = own.map(({ n }) => n);
    expect(numbers).toHaveLength(new Set(numbers).size);
    const ordered = numbers.filter((n) => known.has(n));
    expect(ordered).toEqual([...ordered].sort((a, b) => a - b));
  }
}

test("whatever a wire loses, repeats and reorders: all of it comes once, and in order", async () => {
  await checkAsyncProperty(
    fc.asyncProperty(some(60), async (acts) => {
      for (const told of await tryLink("bmo", acts)) {
        expectOrder(told);
        expect(told).toMatchObject({ missing: 0, open: [], lost: 0 });
      }
    }),
    { runs: 12 },
  );
});

test("with either hub put back to a copy of itself: nothing is lost that the person is not told of", async () => {
  await checkAsyncProperty(
    fc.asyncProperty(side, restoring, async (victim, acts) => {
      for (const told of await tryLink(victim, acts)) {
        expectOrder(told);
        expect(told.open).toEqual([]);
        expect(told.missing).toBeLessThanOrEqual(told.lost);
        // One that was never restored has all that the other says it sent.
        if (told.to !== victim) expect(told).toMatchObject({ missing: 0, lost: 0 });
      }
    }),
    { runs: 16 },
  );
});
