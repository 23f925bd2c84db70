import { expect, test } from "vitest";
import { treeFiles } from "../scripts/mutation/results.mjs";

test("a mutant is tried again when an adapter in plain JavaScript, a version or a fixture has changed, not for the desk", () => {
  const files = treeFiles();

  expect(files).toContain("src/journal/sqlite/open.js");
  expect(files).toContain("package-lock.json");
  expect(files).toContain("vitest.mutation.config.ts");
  expect(files).toContain("test/report/allowed-skips.json");
  expect(files.filter((file) => file.startsWith("src/web/"))).toEqual([]);
});
