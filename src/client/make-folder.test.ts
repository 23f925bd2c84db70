import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { makeFolder } from "./make-folder.js";

test("folders are made down to the last, for this user alone", () => {
  const folder = join(tempFolder(), "a", "b");
  makeFolder(folder);
  makeFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test.runIf(existsSync("/proc/self"))("where none can be made it fails instead of trying forever", () => {
  expect(() => makeFolder("/proc/huddle/logs")).toThrow();
});
