import type { Clock } from "../model/clock.js";
import type { ContextOf, Deciders, Execute } from "../model/decision.js";
import { HubError } from "../model/errors.js";
import type { HubEvent } from "../model/events.js";
import { type BackedUp, backUp } from "./backup.js";
import { checkPages } from "./check-pages.js";
import { startCheckpointer, type WalLimits } from "./checkpointer.js";
import { type CommitTimes, createCommitTimes } from "./commit-times.js";
import { createEventStore, type EventStore } from "./event-store.js";
import { BEFORE_COMMIT_MS, watchFiles } from "./file-watch.js";
import { createFold, type View } from "./fold.js";
import { type BatchLimits, createGroupCommit } from "./group-commit.js";
import { startHubTime } from "./hub-time.js";
import { explainDatabaseError, openDatabase } from "./open-database.js";
import { finishPruning, isPruningUnfinished, type Pruned, pruneBefore } from "./prune.js";
import { needsRebuild, rebuildViews } from "./rebuild.js";
import { createRecentEvents } from "./recent-events.js";
import { createRoomCheck } from "./room.js";
import { createSignal, type Listen } from "./signal.js";
import type { Database } from "./sqlite/port.js";
import { storageError } from "./storage-error.js";
import { createTrailing } from "./trailing.js";

export type JournalLimits = { batch: BatchLimits; wal: WalLimits; reserve: number };

type JournalOptions<D extends Deciders, Views extends Record<string, View>> = {
  file: string;
  clock: Clock;
  limits: JournalLimits;
  createViews: (db: Database) => Views;
  deciders: D;
  /** What a decider sees: made for each command. `now` is hub time, `at` wall time. */
  context: (views: Views, now: number, at: number) => ContextOf<D>;
  onFatal: (error: HubError) => void;
  onProblem: (message: string) => void;
};

export type Journal<D, Views> = {
  execute: Execute<D>;
  views: Views;
  events: Pick<EventStore, "get" | "pageAfter" | "firstSeq" | "lastSeq" | "seqBefore">;
  now(): number;
  walBytes(): number;
  /** How long the last commits took. */
  commitTimes(): CommitTimes;
  /** Why nothing can be stored just now: a full disk. */
  problem(): HubError | undefined;
  /** Looks for damage in all of the file, aside. Throws DATA_CORRUPT. */
  checkPages(signal: AbortSignal): Promise<void>;
  /** Inside the commit: what is executed here joins the same batch. */
  onApplied: Listen<readonly HubEvent[]>;
  /** After the commit: it is on disk. */
  onCommitted: Listen<readonly HubEvent[]>;
  /** Copies everything into a new file, while commands go on. */
  backUp(file: string): Promise<BackedUp>;
  /** Deletes the events before a wall time, as far as nothing unfinished needs them. */
  pruneBefore(wall: number): Promise<Pruned>;
  close(): Promise<void>;
};

/** How soon it is noticed that the files are gone when nobody sends. */
const LOOK_MS = 1000;
const RECENT = { events: 4000, bytes: 4 * 1024 * 1024 };

export function openJournal<D extends Deciders, Views extends Record<string, View>>(
  options: JournalOptions<D, Views>,
): Journal<D, Views> {
  const db = openDatabase(options.file);
  const { store, views, trailing, hubTime } = load(db, options);
  const apply = createFold(Object.values(views));
  const applied = createSignal<readonly HubEvent[]>();
  const committed = createSignal<readonly HubEvent[]>();

  const recent = createRecentEvents(RECENT);
  const files = watchFiles(options.file);
  const room = createRoomCheck(options.file, options.limits.reserve);

  let lastSeq = store.lastSeq();
  /** Of the batch that is being written. */
  let appliedSeq = lastSeq;
  const forget = () => {
    for (const view of Object.values(views)) view.forget?.();
    trailing.reload();
    appliedSeq = store.lastSeq();
  };

  const times = createCommitTimes();
  /** The files at the paths are no longer those that are open. */
  let isLost = false;
  const commits = createGroupCommit({
    db,
    limits: options.limits.batch,
    monotonic: options.clock.monotonic,
    checkRoom() {
      files.look(BEFORE_COMMIT_MS);
      try {
        room();
      } catch (error) {
        if (!(error instanceof HubError)) files.look(); // It may be the folder that is gone.
        throw error;
      }
    },
    append(decision) {
      const now = hubTime.now();
      const at = options.clock.wall();
      return decision.events.map((event) => {
        const appended = store.append(event, at, now);
        apply(appended);
        appliedSeq = appended.seq;
        return appended;
      });
    },
    settle() {
      for (const view of Object.values(views)) view.settle?.();
      trailing.storeWhenDue(appliedSeq);
    },
    onApplied: applied.emit,
    onTimed: times.add,
    onRolledBack: forget,
    onCommitted(events) {
      recent.add(events);
      lastSeq = events.at(-1)?.seq ?? lastSeq;
    },
    announce(events) {
      if (events.length > 0) committed.emit(events);
      setImmediate(checkpointer.afterCommit); // Once the answers are written.
    },
    onFatal(error) {
      isLost = error.code === "DATA_UNUSABLE";
      options.onFatal(error);
    },
  });
  const checkpointer = startCheckpointer({
    db,
    limits: options.limits.wal,
    pause: commits.pause,
    resume: commits.resume,
    onProblem: options.onProblem,
  });

  const looking = setInterval(() => {
    try {
      files.look(BEFORE_COMMIT_MS);
    } catch (error) {
      commits.fail(storageError(error));
    }
  }, LOOK_MS).unref();

  const execute: Execute<D> = (kind, input) =>
    new Promise((resolve, reject) => {
      const decider = options.deciders[kind];
      if (decider === undefined) throw new HubError("INTERNAL", `No decider for ${kind}`);
      commits.submit({
        // oxlint-disable-next-line typescript/consistent-type-assertions -- `kind` picked the decider that takes this input
        decide: () => decider(input as never, options.context(views, hubTime.now(), options.clock.wall())),
        // oxlint-disable-next-line typescript/consistent-type-assertions -- and that gives this answer
        resolve: resolve as (answer: unknown) => void,
        reject,
      });
    });

  const pruning = {
    db,
    events: store,
    views,
    createViews: options.createViews,
    upkeep: (write: () => void) => {
      const delve = () => {
        recent.clear(); // What is deleted must not be remembered.
        trailing.storeNow(appliedSeq);
        forget();
        write();
      };
      return new Promise<void>((resolve, reject) => commits.submit({ write: delve, resolve, reject }));
    },
  };
  const alone = createTurnstile();
  if (isPruningUnfinished(pruning)) {
    alone(() => finishPruning(pruning)).catch((error: unknown) =>
      options.onProblem(`prune: ${String(error)}`),
    );
  }

  return {
    execute,
    views,
    backUp: (file) => alone(() => checkpointer.spare(() => backUp(db, file))),
    pruneBefore: (wall) => alone(() => pruneBefore(pruning, wall)),
    events: {
      ...store,
      lastSeq: () => lastSeq,
      pageAfter: (seq, limit, bytes) =>
        recent.pageAfter(seq, limit, bytes) ?? store.pageAfter(seq, limit, bytes),
    },
    now: hubTime.now,
    walBytes: checkpointer.walBytes,
    commitTimes: times.read,
    problem() {
      try {
        room();
      } catch (error) {
        return storageError(error);
      }
      const failure = commits.lastFailure();
      // A disk that was full is looked at above; only SQLite knows of other limits, such as a quota.
      return failure?.cause === undefined ? undefined : failure;
    },
    checkPages: (signal) => checkpointer.spare(() => checkPages(options.file, signal)),
    onApplied: applied.listen,
    onCommitted: committed.listen,
    async close() {
      clearInterval(looking);
      commits.stop(new HubError("SHUTTING_DOWN", "The hub is stopping; send again once it is back"));
      await checkpointer.close();
      // Closing removes the log by its path: it may be somebody else's by now.
      if (!isLost) db.close();
    },
  };
}

/** Lets one piece of maintenance through at a time. */
function createTurnstile(): <T>(work: () => Promise<T>) => Promise<T> {
  let taken = false;
  return async (work) => {
    if (taken) {
      throw new HubError(
        "MAINTENANCE_RUNNING",
        "A backup or a prune is under way; try again once it has ended",
      );
    }
    taken = true;
    try {
      return await work();
    } finally {
      taken = false;
    }
  };
}

/** Reads what the hub starts from. Damage shows here at the latest: opening a file reads little of it. */
function load<D extends Deciders, Views extends Record<string, View>>(
  db: Database,
  { file, clock, createViews }: JournalOptions<D, Views>,
) {
  try {
    const store = createEventStore(db);
    const views = createViews(db);
    if (needsRebuild(db)) rebuildViews(db, Object.values(views));
    const trailing = createTrailing(db, store, Object.values(views));
    trailing.reload();
    return { store, views, trailing, hubTime: startHubTime(clock, store.lastHubTime()) };
  } catch (error) {
    db.close();
    throw explainDatabaseError(error, file);
  }
}
