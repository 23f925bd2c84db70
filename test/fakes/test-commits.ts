import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createEventStore } from "../../src/journal/event-store.js";
import { type BatchLimits, createGroupCommit, type GroupCommit } from "../../src/journal/group-commit.js";
import { openDatabase } from "../../src/journal/open-database.js";
import type { Database } from "../../src/journal/sqlite/port.js";
import type { Decision } from "../../src/model/decision.js";
import { HubError } from "../../src/model/errors.js";
import { type HubEvent, newEvent } from "../../src/model/events.js";
import { tempFolder } from "./temp-folder.js";
import { createTestClock } from "./test-clock.js";

export type TestCommitsOptions = {
  limits?: BatchLimits;
  /** What COMMIT does, given the real one: the disk, as far as a test can play it. */
  onCommit?: (commit: () => void) => void;
  onAppend?: (db: Database, event: HubEvent) => void;
  checkRoom?: () => void;
};

export type TestCommits = GroupCommit & {
  db: Database;
  /** In order: `decide x`, `commit`, `rolled back`, `x: answer` or `x: CODE`, `committed n`, `fatal CODE`. */
  log: string[];
  /** Submits a command that stores its name, or does what `decide` says; its end is in the log. */
  run(name: string, decide?: () => Decision<unknown>): Promise<void>;
  stored(): string[];
};

/** The group commit alone, on a real database, with an open view of what happens in which order. */
export function openTestCommits(options: TestCommitsOptions = {}): TestCommits {
  const db = openDatabase(join(tempFolder(), "huddle.db"));
  onTestFinished(() => db.close());
  const store = createEventStore(db);
  const log: string[] = [];
  const commits = createGroupCommit({
    db: withCommit(db, (commit) => {
      log.push("commit");
      (options.onCommit ?? ((real) => real()))(commit);
    }),
    limits: options.limits ?? { commands: 256, milliseconds: 5 },
    monotonic: createTestClock().monotonic,
    checkRoom: options.checkRoom ?? (() => {}),
    append: (decision) =>
      decision.events.map((event) => {
        const appended = store.append(event, 0, 0);
        options.onAppend?.(db, appended);
        return appended;
      }),
    onTimed: () => {},
    settle: () => {},
    onApplied: () => {},
    onRolledBack: () => log.push("rolled back"),
    onCommitted: () => {},
    announce: (events) => log.push(`committed ${events.length}`),
    onFatal: (error) => log.push(`fatal ${error.code}`),
  });
  return {
    ...commits,
    db,
    log,
    run(name, decide = () => storeName(name)) {
      return new Promise((done) => {
        const end = (outcome: string) => {
          log.push(`${name}: ${outcome}`);
          done();
        };
        commits.submit({
          decide() {
            log.push(`decide ${name}`);
            return decide();
          },
          resolve: (answer) => end(String(answer)),
          reject: (error) => end(error instanceof HubError ? error.code : String(error)),
        });
      });
    },
    stored: () =>
      store.pageAfter(0, 10_000).map(({ data }) => ("name" in data ? data.name : "something else")),
  };
}

export function storeName(name: string): Decision<string> {
  return { events: [newEvent("NameReleased", null, { name, agent: "" })], answer: () => "stored" };
}

export function refuse(code: "SELF_SEND" | "ID_REUSED"): () => never {
  return () => {
    throw new HubError(code, code);
  };
}

export function repeat(): Decision<string> {
  return { events: [], answer: () => "repeated" };
}

/** The same database, but for COMMIT. */
function withCommit(db: Database, onCommit: (commit: () => void) => void): Database {
  return new Proxy(db, {
    get(target, key) {
      if (key === "prepare") {
        return (sql: string) => {
          const statement = target.prepare(sql);
          return sql === "COMMIT" ? { run: () => onCommit(() => statement.run()) } : statement;
        };
      }
      const value: unknown = Reflect.get(target, key, target);
      return value instanceof Function ? (value.bind(target) as unknown) : value;
    },
  });
}
