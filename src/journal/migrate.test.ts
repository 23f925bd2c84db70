import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { letGoOfClosedFiles } from "../../test/fakes/let-go.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { refusalOf } from "../../test/refusal-of.js";
import { type Migration, migrate, readMigrations } from "./migrate.js";
import { openDatabase } from "./open-database.js";
import { openSqlite } from "./sqlite/open.js";
import type { Database } from "./sqlite/port.js";

function openEmpty(): Database {
  const db = openSqlite(join(tempFolder(), "huddle.db"));
  onTestFinished(() => db.close());
  return db;
}

const versionOf = (db: Database) => db.pragma("user_version", { simple: true });
const tablesOf = (db: Database) =>
  db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();

const step = (version: number, sql: string): Migration => ({ version, name: `00${version}-step.sql`, sql });

test("the migrations are numbered 1, 2, 3 … without a gap", () => {
  const versions = readMigrations().map(({ version }) => version);

  expect(versions.length).toBeGreaterThan(0);
  expect(versions).toEqual(versions.map((_, i) => i + 1));
});

test("each migration is applied once, in order, and only those that are new", () => {
  const db = openEmpty();
  const first = [step(1, "CREATE TABLE a (x); INSERT INTO a VALUES (1)")];
  const both = [...first, step(2, "INSERT INTO a SELECT x + 1 FROM a")];

  migrate(db, first);
  migrate(db, first);
  migrate(db, both);
  migrate(db, both);

  expect(db.prepare("SELECT x FROM a").pluck().all()).toEqual([1, 2]);
  expect(versionOf(db)).toBe(2);
});

test("a migration that fails leaves the version before it, whole", () => {
  const db = openEmpty();

  expect(() =>
    migrate(db, [step(1, "CREATE TABLE a (x)"), step(2, "CREATE TABLE b (x); SELECT nonsense FROM nowhere")]),
  ).toThrow("nowhere");

  expect(versionOf(db)).toBe(1);
  expect(tablesOf(db)).toEqual(["a"]);
});

test("opening again changes nothing in the schema", () => {
  const file = join(tempFolder(), "huddle.db");
  const schemaOf = () => {
    const db = openDatabase(file);
    const schema = db.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
    db.close();
    return schema;
  };

  expect(schemaOf()).toEqual(schemaOf());
});

/** What a newer Huddle leaves behind: closed properly, or killed with commits still in its WAL. */
async function writeNewer(end: "closed" | "killed", mode: "wal" | "delete" = "wal"): Promise<string> {
  const hub = openTestHub();
  await hub.register("alice");
  await hub.close();
  await letGoOfClosedFiles();
  const db = openSqlite(hub.file);
  db.pragma(`journal_mode = ${mode}`);
  db.pragma("user_version = 999");
  db.exec("CREATE TABLE from_the_future (x)");
  if (end === "closed") {
    db.close();
    return hub.file;
  }
  const copy = join(tempFolder(), "huddle.db");
  for (const suffix of ["", "-wal"]) writeFileSync(copy + suffix, readFileSync(hub.file + suffix));
  db.close();
  return copy;
}

test.each([
  ["closed", "wal"],
  ["killed", "wal"],
  ["closed", "delete"],
] as const)(
  "a database of a newer Huddle (%s, %s) is refused and not a byte of it changes",
  async (end, mode) => {
    const file = await writeNewer(end, mode);
    const files = [file, `${file}-wal`].filter(existsSync);
    const before = files.map((path) => readFileSync(path));

    const error = refusalOf(() => openDatabase(file));

    expect(error.code).toBe("DATA_NEWER");
    expect(error.details).toEqual({ found: 999, known: readMigrations().length, file });
    expect(error.message).toContain("Upgrade Huddle");
    expect(
      files.map((path) => readFileSync(path).equals(before[files.indexOf(path)] ?? Buffer.of())),
    ).toEqual(files.map(() => true));
  },
);

test("what agents were handed is kept by the step that stores it as one row each, in a baseline too", () => {
  const db = openEmpty();
  const [before, after] = [readMigrations().slice(0, 7), readMigrations()];
  migrate(db, before);
  const put = db.prepare("INSERT INTO handed (agent, seq, at, conversation, hop) VALUES (?, ?, ?, ?, ?)");
  put.run("a", 5, 50, "c5", 1);
  put.run("a", 9, 90, "c9", 2);
  put.run("b", 7, 70, "c7", 0);
  const keep = db.prepare("INSERT INTO baseline (seq, n, part, row) VALUES (4, ?, ?, ?)");
  keep.run(0, "agent", "{}");
  keep.run(1, "handed", JSON.stringify({ agent: "a", seq: 2, at: 20, conversation: "c2", hop: 0 }));
  keep.run(2, "handed", JSON.stringify({ agent: "a", seq: 3, at: 30, conversation: "c3", hop: 1 }));

  migrate(db, after);

  const mail = (json: unknown) => JSON.parse(String(json)) as { seq: number }[];
  const rows = db.prepare<[], { agent: string; mail: string }>("SELECT * FROM handed ORDER BY agent").all();
  expect(rows.map((row) => [row.agent, mail(row.mail).map(({ seq }) => seq)])).toEqual([
    ["a", [9, 5]],
    ["b", [7]],
  ]);
  expect(mail(rows[0]?.mail)[0]).toEqual({ seq: 9, at: 90, conversation: "c9", hop: 2 });
  const kept = db.prepare<[], { n: number; part: string; row: string }>("SELECT * FROM baseline ORDER BY n");
  expect(kept.all().map(({ part }) => part)).toEqual(["agent", "handed"]);
  const row = JSON.parse(kept.all()[1]?.row ?? "") as { agent: string; mail: string };
  expect([row.agent, mail(row.mail).map(({ seq }) => seq)]).toEqual(["a", [3, 2]]);
});
