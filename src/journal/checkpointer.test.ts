import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { patiently } from "../../test/fakes/patiently.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { storeName } from "../../test/fakes/test-commits.js";
import { openTestJournal, testJournalLimits } from "../../test/fakes/test-journal.js";
import type { HubContext } from "../hub/context.js";
import { startCheckpointer } from "./checkpointer.js";
import type { JournalLimits } from "./journal.js";
import { openDatabase } from "./open-database.js";
import { openSqlite } from "./sqlite/open.js";

const KIB = 1024;
const COMMANDS = 20_000;

const note = (input: string, _context: HubContext) => storeName(input);

function openBounded(wal: Partial<JournalLimits["wal"]> = {}) {
  const limits = { ...testJournalLimits.wal, soft: 256 * KIB, cap: 1024 * KIB, ...wal };
  return openTestJournal({ note }, { journalLimits: { wal: limits } });
}

type Bounded = ReturnType<typeof openBounded>;

async function write(journal: Bounded, commands: number, width = 2000): Promise<void> {
  const text = "x".repeat(100);
  for (let i = 0; i < commands; i += width) {
    await Promise.all(
      Array.from({ length: Math.min(width, commands - i) }, () => journal.execute("note", text)),
    );
  }
}

test("under saturation the write-ahead log stays near its cap, and everything is stored", async () => {
  const journal = openBounded();
  let largest = 0;
  let shrunk = 0;
  let last = 0;
  journal.onCommitted(() => {
    const bytes = journal.walBytes();
    largest = Math.max(largest, bytes);
    if (bytes < last) shrunk++;
    last = bytes;
  });

  await write(journal, COMMANDS);

  expect(journal.events.lastSeq()).toBe(COMMANDS);
  expect(journal.problems).toEqual([]);
  expect(largest).toBeLessThan(1.5 * 1024 * KIB);
  expect(shrunk).toBeGreaterThan(0); // It was truncated, and writing went on after it.
}, 300_000);

test("between the soft limit and the cap it is written back beside the writer, and starts over", async () => {
  const journal = openBounded({ soft: 64 * KIB, cap: 1024 * 1024 * KIB });
  const frames = () => journal.db.prepare<[], { log: number }>("PRAGMA wal_checkpoint(NOOP)").get()?.log ?? 0;
  let most = 0;
  journal.onCommitted(() => {
    most = Math.max(most, frames());
  });
  await write(journal, 200, 10);

  // With a moment between commits the thread gets all of it into the database, and the log starts over.
  const isNew = async () => {
    await write(journal, 1);
    expect(frames()).toBeLessThan(most / 2);
  };
  await patiently(isNew);

  expect(journal.problems).toEqual([]);
}, 300_000);

test("a reader that keeps the log from being cut does not stop the writer, and it is cut once that has gone", async () => {
  const journal = openBounded({ cap: 256 * KIB, soft: 128 * KIB, retryMs: 5 });
  await write(journal, 100);
  const reader = openSqlite(journal.file, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM event").get();

  await write(journal, 2000, 500);
  expect(journal.problems).toContain("the write-ahead log is in use by another process");
  expect(journal.walBytes()).toBeGreaterThan(256 * KIB);

  reader.close();
  const isCut = async () => {
    await write(journal, 1);
    expect(journal.walBytes()).toBeLessThan(256 * KIB);
  };
  await patiently(isCut);
}, 300_000);

test("a checkpointer whose thread cannot work says so, holds up nobody and can be closed", async () => {
  const file = join(tempFolder(), "huddle.db");
  const db = openDatabase(file);
  onTestFinished(() => db.close());
  renameSync(file, `${file}.moved`);
  mkdirSync(file);
  const problems: string[] = [];
  const checkpointer = startCheckpointer({
    db,
    limits: { soft: 0, cap: 0, retryMs: 1_000_000 },
    pause() {},
    resume: () => resumed(),
    onProblem: (problem) => problems.push(problem),
  });
  let resumed = () => {};
  const resuming = new Promise<void>((resolve) => {
    resumed = resolve;
  });

  db.exec("INSERT INTO meta (key, value) VALUES ('a', 'b')");
  checkpointer.afterCommit();
  await resuming;

  expect(problems).toEqual(["unable to open database file"]);
  // Not again before its time: a disk that is full is not asked after every commit.
  for (let i = 0; i < 3; i++) {
    checkpointer.afterCommit();
    await sleep(5);
  }
  expect(problems).toHaveLength(1);
  await checkpointer.close();
});

/** A checkpointer alone, with a log of how it holds up commits and lets them go. */
function openAlone(limits: { soft: number; cap: number }) {
  const db = openDatabase(join(tempFolder(), "huddle.db"));
  const calls: string[] = [];
  const checkpointer = startCheckpointer({
    db,
    limits: { ...limits, retryMs: 10 },
    pause: () => calls.push("pause"),
    resume: () => calls.push("resume"),
    onProblem: (problem) => calls.push(problem),
  });
  onTestFinished(async () => {
    await checkpointer.close();
    db.close();
  });
  const insert = db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
  let n = 0;
  const commit = async () => {
    insert.run(`key-${n++}`, "x".repeat(1000));
    checkpointer.afterCommit();
    await sleep(3); // The file is looked at no oftener than every 2 ms.
  };
  return { checkpointer, calls, commit };
}

test("after it was written back beside the writer, commits pause for the rest of the log and go on", async () => {
  const { calls, commit } = openAlone({ soft: 1, cap: 1024 * 1024 * KIB });

  await patiently(async () => {
    if (calls.length === 0) await commit();
    expect(calls).toEqual(["pause", "resume"]);
  });
});

test("while something reads for long the log is not cut, and commits go on; after that it is", async () => {
  const { checkpointer, calls, commit } = openAlone({ soft: 1024 * 1024 * KIB, cap: 8 * KIB });
  let end = () => {};
  const reading = checkpointer.spare(
    () =>
      new Promise<string>((done) => {
        end = () => done("read");
      }),
  );

  for (let i = 0; i < 20; i++) await commit();
  expect(calls).toEqual([]);
  expect(checkpointer.walBytes()).toBeGreaterThan(8 * KIB);

  end();
  expect(await reading).toBe("read");
  await commit();
  await patiently(() => expect(calls).toEqual(["pause", "resume"]));
  expect(checkpointer.walBytes()).toBe(0);
});
