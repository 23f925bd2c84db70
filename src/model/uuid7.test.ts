import fc from "fast-check";
import { expect, test } from "vitest";
import { checkProperty } from "../../test/fakes/check-property.js";
import { newUuid7, uuid7 } from "./uuid7.js";

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const random = fc.uint8Array({ minLength: 16, maxLength: 16 });

test("an id made later sorts later, whatever its randomness", () => {
  checkProperty(
    fc.property(time, time, random, random, (a, b, randomA, randomB) => {
      fc.pre(a < b);
      expect(uuid7(a, randomA) < uuid7(b, randomB)).toBe(true);
    }),
    { runs: 1000 },
  );
});

test("it is a UUID of version 7 that carries its time and keeps its randomness", () => {
  checkProperty(
    fc.property(time, random, (ms, bytes) => {
      const id = uuid7(ms, bytes);
      expect(id).toMatch(UUID7);
      expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(ms);
      expect(id.slice(24)).toBe(Buffer.from(bytes).subarray(10).toString("hex"));
    }),
  );
});

test("the example of the standard", () => {
  const bytes = Buffer.from("000000000000 0cc3 18c4dc0c0c07398f".replaceAll(" ", ""), "hex");

  expect(uuid7(Date.parse("2022-02-22T19:22:22Z"), bytes)).toBe("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
});

test("many ids made at once are all different, and the bytes given are not written to", () => {
  expect(new Set(Array.from({ length: 5000 }, newUuid7)).size).toBe(5000);

  const bytes = new Uint8Array(16).fill(7);
  uuid7(Date.now(), bytes);
  expect(bytes).toEqual(new Uint8Array(16).fill(7));
});

test("new ids are of now", () => {
  const before = uuid7(Date.now() - 1, new Uint8Array(16).fill(255));
  const id = newUuid7();
  const after = uuid7(Date.now() + 1, new Uint8Array(16));

  expect([after, id, before].toSorted()).toEqual([before, id, after]);
});
