import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { closedJournal } from "../../test/fakes/closed-journal.js";
import { damagePage } from "../../test/fakes/damage-page.js";
import { HubError } from "../model/errors.js";
import { openDatabase } from "./open-database.js";
import { replaceDamaged } from "./replace-damaged.js";

const NOW = Date.parse("2026-11-05T10:20:30.000Z");
const KEPT = "hub.db.damaged-2026-11-05T102030.000Z";

async function journalToReplace() {
  const file = await closedJournal();
  return { file, held: read(file), bytes: readFileSync(file) };
}

function read(file: string) {
  const db = openDatabase(file);
  const held = ["meta", "event", "baseline"].map((table) => db.prepare(`SELECT * FROM "${table}"`).all());
  db.close();
  return held;
}

/** What was made beside it. Its log may stay until its connections are collected. */
const madeBeside = (file: string) =>
  readdirSync(dirname(file)).filter((name) => /rebuilt|damaged/.test(name));

function refused(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test("a new file with the same events takes the place of the old one, which is kept", async () => {
  const { file, held, bytes } = await journalToReplace();
  const finished: unknown[] = [];

  const kept = replaceDamaged(file, NOW, (fresh) => finished.push(fresh, read(fresh)));

  expect(finished).toEqual([`${file}.rebuilt`, held]);
  expect(basename(kept)).toBe(KEPT);
  expect(readFileSync(kept).equals(bytes)).toBe(true);
  expect(read(file)).toEqual(held);
  expect(madeBeside(file)).toEqual([KEPT]);
});

test("what an earlier try left is not taken for the new file", async () => {
  const { file, held } = await journalToReplace();
  const left = openDatabase(`${file}.rebuilt`);
  left.exec("CREATE TABLE left_over (a)");
  left.close();

  replaceDamaged(file, NOW, (fresh) => {
    const db = openDatabase(fresh);
    expect(db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'left_over'").get()).toBeUndefined();
    db.close();
  });

  expect(read(file)).toEqual(held);
});

test("what cannot be finished leaves the file as it was, and nothing beside it", async () => {
  const { file, bytes } = await journalToReplace();
  const reason = new Error("no rebuild");

  const error = refused(() =>
    replaceDamaged(file, NOW, () => {
      throw reason;
    }),
  );

  expect(error).toBe(reason);
  expect(readFileSync(file).equals(bytes)).toBe(true);
  expect(madeBeside(file)).toEqual([]);
});

test("damaged events are beyond repair, and nothing is changed", async () => {
  const { file } = await journalToReplace();
  damagePage(file, "event");
  const bytes = readFileSync(file);

  const error = refused(() => replaceDamaged(file, NOW, () => {}));

  expect(error).toBeInstanceOf(HubError);
  expect(error).toMatchObject({ code: "DATA_CORRUPT", details: { file } });
  expect(readFileSync(file).equals(bytes)).toBe(true);
  expect(madeBeside(file)).toEqual([]);
});

test("a log that still holds something never meets the new file", async () => {
  const { file } = await journalToReplace();
  const other = openDatabase(file);
  onTestFinished(() => other.close());
  other.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('still', 'in the log')");

  const error = refused(() => replaceDamaged(file, NOW, () => {}));

  expect(error).toMatchObject({ code: "DATA_CORRUPT" });
  expect(madeBeside(file)).toEqual([]);
});
