import { createHash } from "node:crypto";
import { copyFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { requestRebuild } from "../../src/journal/rebuild.js";
import { openSqlite } from "../../src/journal/sqlite/open.js";
import { HUB_ID } from "../../src/model/agent.js";
import { eventTypes } from "../../src/model/events.js";
import { letGoOfClosedFiles } from "../fakes/let-go.js";
import { tempFolder } from "../fakes/temp-folder.js";
import { openTestHub } from "../fakes/test-hub.js";
import { dumpViews, pacedLimits } from "../fakes/test-journal.js";
import { tellEveryEvent } from "./tell-every-event.js";

/*
 * Whoever has a journal keeps it: what an earlier version wrote is read by this one, to the same views. These are such
 * journals, and none is ever made again. A version that writes other events keeps one beside them, with the next number:
 * `HUDDLE_KEEP_JOURNAL=test/guard/journal-9.db npx vitest run test/guard/old-journal`.
 */

/**
 * The second has version 2 of MessageAccepted, the third has names per team and panes that keep mail waiting, the fifth has
 * tasks, workflows, worktrees, pauses and budgets, the sixth whole turns, answers from the desk, checks that were taken back and
 * pairs that were paused, the seventh other hubs, calls back, fields of messages and memories, the eighth requests, work and handoffs between hubs.
 */
const kept = [
  "journal-1.db",
  "journal-2.db",
  "journal-3.db",
  "journal-4.db",
  "journal-5.db",
  "journal-6.db",
  "journal-7.db",
  "journal-8.db",
].map((name) => resolve("test", "guard", name));
const [first = ""] = kept;

test("the story tells of every type of event", async () => {
  const hub = openTestHub({ limits: pacedLimits });

  await tellEveryEvent(hub);

  const told = new Set(hub.events.pageAfter(0, 10_000).map(({ type }) => type));
  expect(eventTypes.filter((type) => !told.has(type))).toEqual([]);
  const file = process.env["HUDDLE_KEEP_JOURNAL"];
  if (file !== undefined) await hub.backUp(resolve(file));
});

test.each(kept)(
  "a journal that an earlier version wrote is rebuilt to the same views: %#",
  async (journal) => {
    const file = join(tempFolder(), "huddle.db");
    copyFileSync(journal, file);
    const db = openSqlite(file);
    requestRebuild(db, true);
    db.close();
    await letGoOfClosedFiles();

    const hub = openTestHub({ file });

    const types = new Set(hub.events.pageAfter(0, 10_000).map(({ type }) => type));
    const views = Object.entries(dumpViews(hub.db, hub.views)).map(([table, rows]) => ({
      table,
      rows: rows.length,
      hash: hashOf(rows.map((row) => withoutNew(table, row))),
    }));
    expect({ types: types.size, events: hub.events.lastSeq(), views }).toMatchSnapshot();
  },
);

test("what the hub itself told in it is known as the hub's", () => {
  const file = join(tempFolder(), "huddle.db");
  copyFileSync(first, file);
  const hub = openTestHub({ file });

  const notices = hub.events
    .pageAfter(0, 10_000)
    .flatMap((event) => (event.type === "MessageAccepted" ? [event.data.message] : []))
    .filter(({ notice }) => notice !== undefined);

  const kinds = new Set(
    notices.map(({ from, notice }) => `${notice} ${from === HUB_ID ? "by the hub" : "for an agent"}`),
  );
  expect([...kinds].sort()).toEqual([
    "ask by the hub",
    "bounce by the hub",
    "claimed for an agent",
    "expired by the hub",
    "failure by the hub",
    "reopened by the hub",
  ]);
});

test.each(kept)("and the views that it stored itself are those that a rebuild makes: %#", (journal) => {
  const file = join(tempFolder(), "huddle.db");
  copyFileSync(journal, file);
  const stored = openTestHub({ file });
  const before = dumpViews(stored.db, stored.views);

  const again = join(tempFolder(), "huddle.db");
  copyFileSync(journal, again);
  const db = openSqlite(again);
  requestRebuild(db, true);
  db.close();
  const rebuilt = openTestHub({ file: again });

  expect(anyDay(dumpViews(rebuilt.db, rebuilt.views))).toEqual(anyDay(before));
});

/** Columns that views got since, for what old journals cannot say: what they do say stays the same. */
const added: Readonly<Record<string, readonly string[]>> = {
  agent: ["label", "tools", "limited_until", "runtime_reason", "ending", "paused_since"],
  held_name: ["team"],
  peer: ["key_seen"],
  permission: ["answered_at", "via", "reason"],
  request: ["claimed_at", "answered_at", "reopened_at", "left_by", "left_name", "hubs", "hub"],
};

/** Days are those of the time zone that the hub runs in. */
function anyDay(views: ReturnType<typeof dumpViews>): Record<string, string[]> {
  const rows = Object.entries(views).map(([table, all]) => [table, all.map((row) => withoutDay(table, row))]);
  return Object.fromEntries(rows) as Record<string, string[]>;
}

function withoutDay(table: string, row: string): string {
  const columns = JSON.parse(row) as Record<string, unknown>;
  const isDay = table === "usage" && columns["kind"] === "day";
  return isDay ? JSON.stringify({ ...columns, key: "a day" }) : row;
}

function withoutNew(table: string, stored: string): string {
  const columns = JSON.parse(withoutDay(table, stored)) as Record<string, unknown>;
  return JSON.stringify(
    Object.fromEntries(Object.entries(columns).filter(([name]) => added[table]?.includes(name) !== true)),
  );
}

function hashOf(rows: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(rows)).digest("hex").slice(0, 16);
}
