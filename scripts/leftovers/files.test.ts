import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { findFiles, hasFiles } from "./files.mjs";

/** Root may read everything. */
const NOBODY = 65_534;

test("files at any depth are found, and empty folders are not", () => {
  const folder = tempFolder();
  mkdirSync(join(folder, "a", "b"), { recursive: true });
  expect([...findFiles(folder)]).toEqual([]);
  expect(hasFiles(folder)).toBe(false);

  writeFileSync(join(folder, "a", "b", "c"), "x");
  expect([...findFiles(folder)]).toEqual([join(folder, "a", "b", "c")]);
  expect(hasFiles(folder)).toBe(true);
});

test("a folder that cannot be read is named instead of stopping the search", () => {
  const folder = tempFolder();
  const refused = [`${folder} (cannot be read: EACCES)`];
  if (process.getuid?.() === 0) process.seteuid?.(NOBODY);
  else chmodSync(folder, 0o000);
  try {
    expect([...findFiles(folder)]).toEqual(refused);
  } finally {
    if (process.getuid?.() === 0) process.seteuid?.(0);
    else chmodSync(folder, 0o700);
  }
});
