import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { type Child, compileSources, startChild } from "../../test/child-processes.js";
import { letGoOfClosedFiles } from "../../test/fakes/let-go.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { refusalOf } from "../../test/refusal-of.js";
import { openSqlite } from "../journal/sqlite/open.js";
import { systemClock } from "../model/clock.js";
import { writeHubFile } from "./hub-file.js";
import { acquireLock } from "./lock.js";

/** A process of their own each. */
const ROUNDS = 6;
const RACES = 20;
const sources = await compileSources("daemon/lock.ts");
const children: Child[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
});
afterAll(() => sources.remove());

function take(folder: string) {
  const hubFile = join(folder, "hub.json");
  return acquireLock(join(folder, "huddle.lock"), { pid: process.pid, clock: systemClock, hubFile });
}

/** A process that says when it is ready, tries each folder that it is told, says how it went and who holds, and stays. */
function startRival(): Child {
  const child = startChild(`
    import { createInterface } from "node:readline";
    import { setFlagsFromString } from "node:v8";
    import { runInNewContext } from "node:vm";
    import { acquireLock } from ${JSON.stringify(sources.url("daemon/lock.ts"))};
    const say = (answer) => console.log(JSON.stringify(answer));
    const clock = { wall: Date.now, monotonic: () => performance.now() };
    setFlagsFromString("--expose-gc");
    say("ready");
    for await (const folder of createInterface({ input: process.stdin })) {
      try {
        acquireLock(folder + "/huddle.lock", { pid: process.pid, clock, hubFile: folder + "/hub.json" });
        // The lock must outlive the object that stands for it.
        runInNewContext("gc")();
        say({ outcome: "held", holder: process.pid });
      } catch (error) {
        say({ outcome: error.code, holder: error.details?.pid });
      }
    }
  `);
  children.push(child);
  return child;
}

async function ready(rivals: readonly Child[]): Promise<void> {
  for (const rival of rivals) expect(await rival.answer()).toBe("ready");
}

function race(rivals: readonly Child[], folder: string): Promise<unknown[]> {
  for (const rival of rivals) rival.say(folder);
  return Promise.all(rivals.map((rival) => rival.answer()));
}

function expectOneWinner(rivals: readonly Child[], answers: readonly unknown[]): void {
  const isWin = (answer: unknown) => JSON.stringify(answer).startsWith('{"outcome":"held"');
  const winner = rivals[answers.findIndex(isWin)];
  expect(answers).toEqual(
    rivals.map((rival) => ({ outcome: rival === winner ? "held" : "HUB_RUNNING", holder: winner?.pid })),
  );
}

test("a second hub is told which one runs, where, since when, and what to do", () => {
  const folder = tempFolder();
  const hubFile = join(folder, "hub.json");
  const clock = { ...systemClock, wall: () => Date.UTC(2030, 0, 2, 3, 4, 5) };
  const lock = acquireLock(join(folder, "huddle.lock"), { pid: process.pid, clock, hubFile });
  writeHubFile(hubFile, { url: "http://127.0.0.1:9223", pid: process.pid });
  const refusal = refusalOf(() => take(folder));
  expect(refusal.code).toBe("HUB_RUNNING");
  expect(refusal.details).toEqual({ pid: process.pid, url: "http://127.0.0.1:9223", since: clock.wall() });
  for (const part of [
    folder,
    `pid ${process.pid}`,
    "http://127.0.0.1:9223",
    "2030-01-02T03:04:05",
    "huddle status",
    "huddle down",
    "HUDDLE_HOME",
  ]) {
    expect(refusal.message).toContain(part);
  }
  lock.release();
});

test("the address that an earlier hub left behind is not taken for this one's", () => {
  const folder = tempFolder();
  writeHubFile(join(folder, "hub.json"), { url: "http://127.0.0.1:1", pid: 999_999 });
  const lock = take(folder);
  const refusal = refusalOf(() => take(folder));
  expect(refusal.details).toMatchObject({ pid: process.pid, url: null });
  expect(refusal.message).toContain("not answering yet");
  lock.release();
});

test("a released lock can be taken again, and releasing twice frees nobody else's", () => {
  const folder = tempFolder();
  const first = take(folder);
  first.release();
  const second = take(folder);
  first.release();
  expect(refusalOf(() => take(folder)).code).toBe("HUB_RUNNING");
  second.release();
});

test("hubs in different folders do not meet", () => {
  const locks = [take(tempFolder()), take(tempFolder())];
  for (const lock of locks) lock.release();
});

test("only this user can read the lock file", () => {
  const folder = join(tempFolder(), "new");
  take(folder).release();
  expect(statSync(join(folder, "huddle.lock")).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test(`after kill -9 the lock is free at once, ${ROUNDS} times of ${ROUNDS}, and each refusal names the holder`, async () => {
  const folder = tempFolder();
  for (let round = 0; round < ROUNDS; round++) {
    const holder = startRival();
    await ready([holder]);
    expectOneWinner([holder], await race([holder], folder));
    expect(refusalOf(() => take(folder)).details["pid"]).toBe(holder.pid);
    await holder.kill();
    take(folder).release();
  }
}, 300_000);

test(`of two that start at once exactly one wins, ${RACES} times of ${RACES}, and the other names it`, async () => {
  const rivals = [startRival(), startRival()];
  await ready(rivals);
  for (let round = 0; round < RACES; round++) {
    const folder = tempFolder();
    // In every other round they also race to make the file.
    if (round % 2 === 0) take(folder).release();
    expectOneWinner(rivals, await race(rivals, folder));
  }
}, 300_000);

test("of eight that start at once exactly one wins and the seven name it", async () => {
  const folder = tempFolder();
  const rivals = Array.from({ length: 8 }, () => startRival());
  await ready(rivals);
  expectOneWinner(rivals, await race(rivals, folder));
}, 300_000);

test("a holder that was cut off while it wrote its row is recovered from", async () => {
  const folder = tempFolder();
  take(folder).release();
  for (let round = 0; round < ROUNDS; round++) {
    const child = startRival();
    await ready([child]);
    child.say(folder);
    await new Promise((resolve) => setTimeout(resolve, round / 4));
    await child.kill();
    take(folder).release();
  }
}, 300_000);

test.each([
  ["text", "this is no database, it only has some length to it".repeat(50)],
  ["another database", undefined],
])("a lock file that is %s is refused and left as it is", (_, text) => {
  const file = join(tempFolder(), "huddle.lock");
  if (text === undefined) {
    const db = openSqlite(file);
    db.exec("CREATE TABLE holder (x)");
    db.close();
  } else writeFileSync(file, text);
  const before = readFileSync(file);
  const refusal = refusalOf(() => take(join(file, "..")));
  expect(refusal.code).toBe("DATA_UNUSABLE");
  expect(refusal.message).toContain(`rm ${file}`);
  expect(readFileSync(file)).toEqual(before);
});

test("a data folder that is a file is refused by name", () => {
  const file = join(tempFolder(), "file");
  writeFileSync(file, "");
  const refusal = refusalOf(() => take(file));
  expect(refusal.code).toBe("DATA_UNUSABLE");
  expect(refusal.message).toContain(file);
});

test.each([
  ["folder", 0o555, 0o644],
  ["file", 0o777, 0o444],
])("a read-only %s is refused with what to check", (_, folderMode, fileMode) => {
  const folder = tempFolder();
  const file = join(folder, "huddle.lock");
  take(folder).release();
  chmodSync(file, fileMode);
  chmodSync(folder, folderMode);
  const isRoot = process.geteuid?.() === 0;
  // Permissions do not bind root.
  if (isRoot) process.seteuid?.(65534);
  try {
    const refusal = refusalOf(() => take(folder));
    expect(refusal.code).toBe("DATA_UNUSABLE");
    expect(refusal.message).toContain(`ls -ld ${file}`);
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o700);
  }
});

const canMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), "huddle-lock-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
})();

test.skipIf(!canMount)(
  "a full disk is refused with what to do, before and after the file exists",
  async () => {
    const folder = tempFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=32k", "tmpfs", folder]);
    try {
      for (const exists of [false, true]) {
        if (exists) take(folder).release();
        try {
          writeFileSync(join(folder, "filler"), Buffer.alloc(64 * 1024));
        } catch {
          // It fills what there is, and fails: that was the point.
        }
        const refusal = refusalOf(() => take(folder));
        expect(refusal.code).toBe("DATA_UNUSABLE");
        expect(refusal.message).toMatch(/disk is full/);
        execFileSync("rm", [join(folder, "filler")]);
      }
      take(folder).release();
    } finally {
      await letGoOfClosedFiles();
      execFileSync("umount", [folder]);
    }
  },
);
