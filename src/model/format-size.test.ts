import { expect, test } from "vitest";
import { formatSize } from "./format-size.js";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [999_949, "999.9 kB"],
  [999_999, "1.0 MB"],
  [92_500_000, "92.5 MB"],
  [5e15, "5000.0 TB"],
])("%i bytes are %s", (bytes, shown) => {
  expect(formatSize(bytes)).toBe(shown);
});
