import { resolve } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { DriverProblem, describeProblem } from "./driver-problem.js";
import { choose } from "./open.js";

/** As a shell takes it: the folder may have a space in its name. */
const here = resolve(".").includes(" ") ? `'${resolve(".")}'` : resolve(".");
const again = `npm install --no-save --prefix ${here} --force @photostructure/sqlite@~1.2.1`;
const compiled = `npm install --no-save --prefix ${here} better-sqlite3@12 --allow-scripts=better-sqlite3`;

test.each([
  ["is missing", "Cannot find module '@photostructure/sqlite'\nRequire stack:\n- /somewhere", again],
  ["is broken", "/somewhere/x.node: file too short", again],
  ["has no binary for this machine", "No native build was found for platform=aix arch=ppc64", compiled],
  ["needs a newer system", "/lib/libm.so.6: version `GLIBC_2.38' not found", compiled],
])("a driver that %s says so in one line, with the one command that helps", (_, reason, command) => {
  const text = describeProblem("prebuilt", new Error(reason));

  expect(text).not.toContain("\n");
  expect(text).toContain(reason.split("\n")[0]);
  expect(text.endsWith(`: ${command}`)).toBe(true);
  expect(text.split("npm install")).toHaveLength(2);
});

test("a driver that was asked for and is not there is not replaced by the other", () => {
  expect(() => choose("better-sqlite3", tempFolder())).toThrow(DriverProblem);
  expect(() => choose("better-sqlite3", tempFolder())).toThrow(
    /it is not installed.*npm install .* better-sqlite3@12/,
  );
});

test("a driver that nobody knows is refused", () => {
  expect(() => choose("postgres", undefined)).toThrow(/HUDDLE_SQLITE is "postgres"/);
});

test("without a choice, and without the other one, it is the prebuilt one", () => {
  expect(choose("", tempFolder()).name).toBe("@photostructure/sqlite");
});
