import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { HubContext, HubLimits } from "../../src/hub/context.js";
import { type Journal, type JournalLimits, openJournal } from "../../src/journal/journal.js";
import { storeAll } from "../../src/journal/rebuild.js";
import type { Database } from "../../src/journal/sqlite/port.js";
import type { ContextOf, Deciders } from "../../src/model/decision.js";
import type { HubError } from "../../src/model/errors.js";
import { newUuid7 } from "../../src/model/uuid7.js";
import { createTightViews, type TightViews } from "../../src/views/tight.js";
import { tempFolder } from "./temp-folder.js";
import { createTestClock, type TestClock } from "./test-clock.js";

export const testHubLimits: HubLimits = {
  inboxCap: 1000,
  inboxRoom: 50,
  renameGraceMs: 24 * 3_600_000,
  reofferAfterMs: 60_000,
  readMessages: 100,
  readBytes: 4 * 1024 * 1024,
  requestDefaultMs: 30_000,
  requestMaxMs: 24 * 3_600_000,
  requestOpenCap: 1000,
  requestAgentCap: 1000,
  requestPace: 0,
  requestNudgeCap: 10,
  workLeaseMs: 30 * 60_000,
  workLeaseMaxMs: 24 * 3_600_000,
  workCap: 10_000,
  workAgentCap: 10_000,
  memoryBytes: 64 * 1024 * 1024,
  memoryAgentBytes: 64 * 1024 * 1024,
  memoryVersions: 20,
  taskMs: 12 * 3_600_000,
  taskOpenCap: 10_000,
  taskAgentCap: 10_000,
  worktreeCap: 1000,
  checks: [],
  workflowOpenCap: 1000,
  workflowAgentCap: 1000,
  // Nobody reaches it by accident.
  agentBudget: { usd: 1e6 },
  workflowBudget: {},
  // Out of the way; those who test them pass `pacedLimits`.
  cooldown: { quickMs: 0, delaysMs: [], resetMs: 0, cap: 0, mode: "hold" },
  conversation: { hops: 1e9, messages: 1e9, causeMs: 15 * 60_000, unattended: 1e9 },
  peerMail: { interrupt: false, share: 1e6 },
  broadcast: "anyone",
  depth: 3,
  children: 25,
  hosted: 50,
  hostedReserve: 5,
  permissionMs: 10 * 60_000,
  fyiMessages: 20,
  handoffAt: 0.85,
  fyiBytes: 8192,
};

/** The cooldown and the budgets as a hub has them by default. */
export const pacedLimits: Partial<HubLimits> = {
  cooldown: {
    quickMs: 5000,
    delaysMs: [2000, 4000, 8000, 16_000, 30_000],
    resetMs: 30_000,
    cap: 10,
    mode: "hold",
  },
  conversation: { hops: 24, messages: 100, causeMs: 15 * 60_000, unattended: 200 },
};

export const testJournalLimits: JournalLimits = {
  batch: { commands: 256, milliseconds: 5 },
  wal: { soft: 4 * 1024 * 1024, cap: 32 * 1024 * 1024, retryMs: 10 },
  reserve: 0,
};

export type TestJournalOptions = {
  file?: string;
  clock?: TestClock;
  limits?: Partial<HubLimits>;
  journalLimits?: Partial<JournalLimits>;
};

export type TestJournal<D> = Journal<D, TightViews> & {
  file: string;
  clock: TestClock;
  /** The journal's own connection, to look at what is stored. */
  db: Database;
  /** What the journal reported while it ran. */
  fatal: HubError[];
  problems: string[];
};

/** A real journal in a real SQLite file, with the hub's views and any deciders; closed when the test ends. */
export function openTestJournal<D extends Deciders>(
  deciders: D,
  options: TestJournalOptions = {},
): TestJournal<D> {
  const file = options.file ?? join(tempFolder(), "huddle.db");
  const clock = options.clock ?? createTestClock();
  const limits = { ...testHubLimits, ...options.limits };
  const fatal: HubError[] = [];
  const problems: string[] = [];
  const connections: Database[] = [];
  const journal = openJournal<D, TightViews>({
    file,
    clock,
    limits: { ...testJournalLimits, ...options.journalLimits },
    createViews(db) {
      connections.push(db);
      return createTightViews(db);
    },
    deciders,
    context: (views, now, at) => {
      const context: HubContext = { views, limits, now, at, newId: newUuid7 };
      return context as ContextOf<D>;
    },
    onFatal: (error) => fatal.push(error),
    onProblem: (message) => problems.push(message),
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= journal.close();
    return closing;
  };
  onTestFinished(close);
  const [db] = connections;
  if (db === undefined) throw new Error("the journal made no views");
  return { ...journal, close, file, clock, db, fatal, problems };
}

/** Every row of every table that the tight views keep, in a fixed order. */
export function dumpViews(db: Database, views: TightViews): Record<string, string[]> {
  storeAll(Object.values(views));
  const tables = Object.values(views).flatMap((view) => view.tables);
  return Object.fromEntries(
    tables.map((table) => {
      const rows = db.prepare(`SELECT * FROM "${table}"`).all();
      return [table, rows.map((row) => JSON.stringify(row)).sort()];
    }),
  );
}
