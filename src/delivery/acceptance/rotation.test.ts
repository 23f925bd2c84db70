import { expect, test } from "vitest";
import { createRotation } from "./rotation.js";
import { createSlots } from "./slots.js";

test("whoever has much waiting takes turns with the others, in the order in which each began to wait", () => {
  const rotation = createRotation<string>();
  for (const item of ["boss 1", "boss 2", "boss 3"]) rotation.add("boss", item);
  for (const item of ["person 1", "person 2"]) rotation.add("person", item);
  rotation.add("eve", "eve 1");

  const taken = Array.from({ length: 7 }, () => rotation.next());

  expect(taken).toEqual(["boss 1", "person 1", "eve 1", "boss 2", "person 2", "boss 3", undefined]);
});

test("an orchestrator that keeps every slot busy keeps the person waiting for one run, not for all", async () => {
  const inTurn = createSlots(1);
  const order: string[] = [];
  const gates: (() => void)[] = [];
  const run = (name: string) => () =>
    new Promise<void>((end) => {
      order.push(name);
      gates.push(end);
    });
  const all = [
    ...Array.from({ length: 20 }, (_, nth) => inTurn("boss", run(`boss ${nth}`))),
    inTurn("person", run("person")),
  ];
  for (let nth = 0; nth < all.length; nth++) {
    gates[nth]?.();
    await Promise.resolve();
    await new Promise(setImmediate);
  }
  await Promise.all(all);

  // One ran already, and one of the orchestrator's waited before.
  expect(order.indexOf("person")).toBe(2);
  expect(order).toHaveLength(21);
});
