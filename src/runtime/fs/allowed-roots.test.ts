import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { findInRoots } from "./allowed-roots.js";

/** `projects/one` and `projects/..x` in a root; `away` leads out of it, `back` into it. */
function openFolders() {
  const home = realpathSync(tempFolder());
  const other = realpathSync(tempFolder());
  const projects = join(home, "projects");
  for (const name of ["one", "..x"]) mkdirSync(join(projects, name), { recursive: true });
  mkdirSync(join(home, "projects-not"));
  symlinkSync(other, join(projects, "away"));
  symlinkSync(join(projects, "one"), join(other, "back"));
  return { home, other, projects };
}

test("a project is in a root, wherever links lead", () => {
  const { home, other, projects } = openFolders();
  expect(findInRoots(join(projects, "one"), [projects])).toBe(join(projects, "one"));
  expect(findInRoots(join(other, "back"), [projects])).toBe(join(projects, "one"));
  expect(findInRoots(projects, [projects])).toBe(projects);
  expect(findInRoots(other, [home, other])).toBe(other);
  expect(findInRoots(other, ["/"])).toBe(other);
  for (const folder of [join(projects, "away"), join(home, "projects-not"), home, "/"]) {
    expect(findInRoots(folder, [projects, "/no/such/root"])).toBeUndefined();
  }
  expect(findInRoots(join(home, "gone"), [home])).toBeUndefined();
});

test("two dots lead out of a root; a folder whose name begins with them does not", () => {
  const { home, projects } = openFolders();
  expect(findInRoots(`${projects}/one/../..`, [projects])).toBeUndefined();
  expect(findInRoots(`${projects}/one/../one`, [projects])).toBe(join(projects, "one"));
  expect(findInRoots(join(projects, "..x"), [projects])).toBe(join(projects, "..x"));
  expect(findInRoots(home, [join(projects, "..x")])).toBeUndefined();
});

test("a root that is a link stands for where it leads", () => {
  const { home, other, projects } = openFolders();
  const link = join(other, "link");
  symlinkSync(projects, link);
  expect(findInRoots(join(link, "one"), [link])).toBe(join(projects, "one"));
  expect(findInRoots(join(projects, "one"), [link])).toBe(join(projects, "one"));
  expect(findInRoots(home, [link])).toBeUndefined();
  expect(findInRoots(other, [link])).toBeUndefined();
});
