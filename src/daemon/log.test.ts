import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { patiently } from "../../test/fakes/patiently.js";
import { mountSmallDisk } from "../../test/fakes/small-disk.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { openLog } from "./log.js";

const linesIn = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { msg: string });

test("a log that is full is kept under a number, the oldest goes, and no line is lost or cut", async () => {
  const folder = tempFolder();
  const file = join(folder, "logs", "hub.log");
  const log = openLog(file, "info", { maxBytes: 2000, files: 3 });
  for (let i = 0; i < 100; i++) log.info(`line ${i}`);
  await patiently(() => expect(linesIn(file).at(-1)?.msg).toBe("line 99"));

  expect(readdirSync(join(folder, "logs")).sort()).toEqual(["hub.log", "hub.log.1", "hub.log.2"]);
  const kept = [`${file}.2`, `${file}.1`, file].flatMap(linesIn).map(({ msg }) => msg);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => `line ${100 - kept.length + i}`));
  expect(kept.length).toBeGreaterThan(30);
  for (const name of [file, `${file}.1`]) expect(statSync(name).mode & 0o777).toBe(0o600);
});

test("what is there at the start counts", async () => {
  const file = join(tempFolder(), "hub.log");
  writeFileSync(file, `${"x".repeat(1999)}\n`);
  const log = openLog(file, "info", { maxBytes: 2000, files: 2 });
  log.info("one");
  log.info("two");
  await patiently(() => expect(linesIn(file).map(({ msg }) => msg)).toEqual(["two"]));
});

test("a log that cannot be rotated goes on where it is", async () => {
  const file = join(tempFolder(), "hub.log");
  mkdirSync(`${file}.1`);
  writeFileSync(join(`${file}.1`, "in the way"), "");
  const log = openLog(file, "info", { maxBytes: 500, files: 2 });
  for (let i = 0; i < 20; i++) log.info(`line ${i}`);
  await patiently(() => expect(linesIn(file)).toHaveLength(20));
});

test("a log that cannot be written is said at the start", () => {
  const file = join(tempFolder(), "hub.log");
  mkdirSync(file);
  expect(() => openLog(file, "info")).toThrow(/hub\.log/);
});

test.skipIf(!existsSync("/dev/full"))(
  "a disk that refuses every line costs the lines, and holds nobody up",
  () => {
    const log = openLog("/dev/full", "info");
    log.info("lost");
    log.fatal("lost as well, and the hub goes on to its end");
  },
);

test("a line after one that was cut off stands on its own", async ({ skip }) => {
  const disk = mountSmallDisk(64 * 1024);
  if (typeof disk === "string") return skip(disk);
  onTestFinished(() => disk.unmount());
  const file = join(disk.folder, "hub.log");
  const log = openLog(file, "info");
  for (let i = 0; i < 100; i++) log.info("x".repeat(1000));
  disk.grow(1024 * 1024);
  log.info("there is room again");

  const lines = readFileSync(file, "utf8").trim().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ msg: "there is room again" });
  expect(lines.length).toBeLessThan(100);
});
