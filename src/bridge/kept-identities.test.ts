import { readdirSync, readFileSync, renameSync, statSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { openKeptIdentities } from "./kept-identities.js";

const DAY_MS = 24 * 3_600_000;
const ann = { name: "ann", token: "hud_agent_ann" };

/** Nothing has this number: it is above what any kernel gives out. */
const NOBODY = "99999999-1";

/** As if the process that holds it had ended. */
function release(file: string): string {
  const free = join(file, "..", basename(file).replace(/\.\d+-\d+\.json$/, `.${NOBODY}.json`));
  renameSync(file, free);
  return free;
}

test("what a living process holds is not taken", () => {
  const kept = openKeptIdentities(join(tempFolder(), "bridges"));
  kept.keep("k", ann);
  expect(kept.take("k", true)).toBeUndefined();
});

test("what was left is taken once, by its key, and stays readable by its user alone", () => {
  const folder = join(tempFolder(), "bridges");
  const kept = openKeptIdentities(folder);
  release(kept.keep("k", ann));
  expect(kept.take("other", true)).toBeUndefined();
  const taken = kept.take("k", false);
  expect(taken).toMatchObject(ann);
  expect(kept.take("k", true)).toBeUndefined();
  expect(statSync(taken?.file ?? "").mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(taken?.file ?? "", "utf8"))).toEqual({ key: "k", ...ann });
});

test("another terminal's is left to it while it is open, unless the name was given", () => {
  const folder = join(tempFolder(), "bridges");
  const kept = openKeptIdentities(folder);
  const free = release(kept.keep("k", ann));
  renameSync(free, join(folder, `tty-ttys001.${NOBODY}.json`));
  expect(kept.take("k", false)).toBeUndefined();
  expect(kept.take("k", true)).toMatchObject(ann);
});

test("a closed terminal's is taken by the next", () => {
  const folder = join(tempFolder(), "bridges");
  const kept = openKeptIdentities(folder);
  const free = release(kept.keep("k", ann));
  renameSync(free, join(folder, `${NOBODY}.${NOBODY}.json`));
  expect(kept.take("k", false)).toMatchObject(ann);
});

test("a month later it is forgotten, unless somebody holds it", () => {
  const folder = join(tempFolder(), "bridges");
  const kept = openKeptIdentities(folder);
  const now = Date.now();
  const file = kept.keep("k", ann);
  const long = new Date(now - 31 * DAY_MS);
  utimesSync(file, long, long);
  expect(kept.takeForgotten(now)).toEqual([]);
  const free = release(file);
  utimesSync(free, long, long);
  expect(kept.takeForgotten(now - 2 * DAY_MS)).toEqual([]);
  expect(kept.takeForgotten(now)).toMatchObject([ann]);
  expect(readdirSync(folder)).toEqual([]);
});

test("files that are not its own are left alone", () => {
  const folder = tempFolder();
  const kept = openKeptIdentities(folder);
  renameSync(release(kept.keep("k", ann)), join(folder, "notes.json"));
  expect(kept.take("k", true)).toBeUndefined();
  expect(kept.takeForgotten(Date.now() + 400 * DAY_MS)).toEqual([]);
});
