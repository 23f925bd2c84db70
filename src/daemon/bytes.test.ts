import fc from "fast-check";
import { expect, test } from "vitest";
import { checkProperty } from "../../test/fakes/check-property.js";
import { formatBytes, parseBytes } from "./bytes.js";

test.each([
  ["1MiB", 1_048_576],
  ["512KiB", 524_288],
  ["512kib", 524_288],
  ["64kB", 64_000],
  ["64KB", 64_000],
  ["1.5GiB", 1_610_612_736],
  ["2 MB", 2_000_000],
  ["100B", 100],
  ["4096", 4096],
])("%s is %d bytes", (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});

test.each(["", "1M", "1K", "MiB", "-1", "0.5", "1e6", "1TiBs", "99999999GiB", "1MiB\n"])(
  "%j is not a size",
  (text) => {
    expect(parseBytes(text)).toBeUndefined();
  },
);

test("what is written is read back", () => {
  checkProperty(
    fc.property(fc.nat({ max: 1e13 }), (bytes) => {
      expect(parseBytes(formatBytes(bytes))).toBe(bytes);
    }),
  );
});

test("a size is written in the unit that suits it", () => {
  expect([0, 100, 64_000, 524_288, 4_194_304].map(formatBytes)).toEqual([
    "0",
    "100",
    "64kB",
    "512KiB",
    "4MiB",
  ]);
});
