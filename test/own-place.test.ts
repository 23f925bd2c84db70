import { expect, test } from "vitest";
import { listFiles } from "../scripts/list-files.mjs";
import { placeName } from "./report/place-name.js";

test("files of the same name in different folders have places of their own", () => {
  expect(placeName("src/hub/claims.test.ts")).not.toBe(placeName("test/e2e/claims.test.ts"));
  expect(placeName("src/hub/claims.test.ts")).toMatch(/^claims-[0-9a-f]{7}$/);
});

test("no two test files of the project share a place, and none has a long one", () => {
  const files = listFiles(["src", "test", "scripts"], /\.test\.tsx?$/);
  const names = files.map(placeName);

  expect(new Set(names).size).toBe(files.length);
  expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(20);
});
