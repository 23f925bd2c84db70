import { join } from "node:path";
import { expect, test } from "vitest";
import type { Database } from "../../src/journal/sqlite/port.js";
import { tempFolder } from "../fakes/temp-folder.js";

type Files = {
  newFile: () => string;
  open: (file?: string) => Database;
  openWal: (file?: string) => Database;
};

export function backupContract({ newFile, open, openWal }: Files): void {
  test("is whole, is of one moment, and commits go on meanwhile", async () => {
    const db = openWal();
    const insert = db.prepare("INSERT INTO t (b) VALUES (?)");
    const both = db.transaction((text: string) => {
      insert.run(text);
      insert.run(text);
    });
    const fill = db.transaction((rows: number) => {
      for (let i = 0; i < rows; i++) insert.run("x".repeat(1000));
    });
    let [filled, commits, file] = [0, 0, ""];
    // Where the copy is quick and a commit slow, there is little meanwhile: twice as much is copied then.
    for (let rows = 5000; commits <= 2 && rows <= 80_000; rows *= 2) {
      fill(rows);
      filled += rows;
      file = newFile();
      commits = await commitMeanwhile(
        db.backup(file, () => false),
        () => both("meanwhile"),
      );
    }

    expect(commits).toBeGreaterThan(2);
    const copy = open(file);
    expect(copy.pragma("integrity_check(1)", { simple: true })).toBe("ok");
    const count = Number(copy.prepare("SELECT count(*) FROM t").pluck().get());
    expect(count).toBeGreaterThanOrEqual(filled);
    expect(count % 2).toBe(0);
  });

  test("into a folder that is not there is refused", async () => {
    const db = openWal();
    await expect(db.backup(join(tempFolder(), "no", "copy.db"), () => false)).rejects.toThrow();
  });
}

/** How many commits there were until the copy was there. */
async function commitMeanwhile(copying: Promise<void>, commit: () => void): Promise<number> {
  let ended = false;
  const copied = copying.finally(() => {
    ended = true;
  });
  let commits = 0;
  for (; !ended; commits++) {
    commit();
    await new Promise(setImmediate);
  }
  await copied;
  return commits;
}
