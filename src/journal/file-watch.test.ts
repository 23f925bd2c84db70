import { mkdirSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { patiently } from "../../test/fakes/patiently.js";
import { outcome } from "../../test/fakes/refusal.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { watchFiles } from "./file-watch.js";

function twoFiles() {
  const file = join(tempFolder(), "huddle.db");
  for (const suffix of ["", "-wal"]) writeFileSync(file + suffix, "");
  return file;
}

test("files that are those that were opened are fine, also when the log comes later", () => {
  const file = twoFiles();
  rmSync(`${file}-wal`);
  const { look } = watchFiles(file);
  look();
  writeFileSync(`${file}-wal`, "");
  look();
  look();
});

test.each(["", "-wal"])("one that is removed or replaced is named (%s)", (suffix) => {
  const file = twoFiles();
  const { look } = watchFiles(file);
  writeFileSync(`${file}.other`, "");
  renameSync(`${file}.other`, file + suffix);
  expect(() => look()).toThrow(`${file}${suffix} was removed or replaced`);
  rmSync(file + suffix);
  expect(() => look()).toThrow(`${file}${suffix} was removed or replaced`);
});

test("it looks no oftener than it is told to", () => {
  const file = twoFiles();
  const { look } = watchFiles(file);
  look();
  rmSync(file);
  look(3_600_000);
  expect(() => look()).toThrow(file);
});

test("a journal whose file is gone refuses everything from then on, and says once that it must end", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice");
  rmSync(hub.file);
  const last = hub.events.lastSeq();

  await patiently(async () => expect(await outcome(hub.register("bob"))).toBe("DATA_UNUSABLE"));

  const stored = hub.events.lastSeq();
  expect(await outcome(hub.send(alice, alice, "x"))).toBe("DATA_UNUSABLE");
  expect(hub.events.lastSeq()).toBe(stored);
  expect(stored).toBeGreaterThanOrEqual(last);
  expect(hub.fatal.map(({ code }) => code)).toEqual(["DATA_UNUSABLE"]);
});

test("a folder that is gone is not taken for a disk without room", async () => {
  const folder = tempFolder();
  const { bavail, bsize } = statfsSync(folder);
  mkdirSync(join(folder, "in"));
  // So little to spare that the disk is looked at before each commit.
  const reserve = Math.max(0, bavail * bsize - 1024 ** 3);
  const hub = openTestHub({ file: join(folder, "in", "huddle.db"), journalLimits: { reserve } });
  await hub.register("alice");
  rmSync(dirname(hub.file), { recursive: true });

  expect(await outcome(hub.register("bob"))).toBe("DATA_UNUSABLE");
});
