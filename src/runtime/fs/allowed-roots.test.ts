import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { findInRoots } from "./allowed-roots.js";

test("a project is below a root, wherever links lead", async () => {
  const home = tempFolder();
  const other = tempFolder();
  mkdirSync(join(home, "projects", "one"), { recursive: true });
  mkdirSync(join(home, "projects-not"));
  symlinkSync(other, join(home, "projects", "away"));
  symlinkSync(join(home, "projects", "one"), join(other, "back"));
  const find = (folder: string, ...roots: string[]) => findInRoots(folder, roots, home);
  expect(await find(join(home, "projects", "one"), "~/projects")).toBe(join(home, "projects", "one"));
  expect(await find(join(other, "back"), "~/projects")).toBe(join(home, "projects", "one"));
  expect(await find(home, "~")).toBe(home);
  expect(await find(other, "~", other)).toBe(other);
  for (const folder of [join(home, "projects", "away"), join(home, "projects-not"), home, "/", "projects"]) {
    expect(await find(folder, "~/projects", "/no/such/root")).toBeUndefined();
  }
  expect(await find(join(home, "gone"), "~")).toBeUndefined();
});
