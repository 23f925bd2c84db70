import type { Decision } from "../model/decision.js";
import type { HubError } from "../model/errors.js";
import type { HubEvent } from "../model/events.js";
import type { Database } from "./sqlite/port.js";
import { SqliteError } from "./sqlite/sqlite-error.js";
import { commitError, isFatal, isStorage, storageError } from "./storage-error.js";

/*
 * Many commands, one fsync. The queue is always in one of these modes:
 *
 *   idle      nothing waits
 *   scheduled commands wait for the next turn of the event loop, so that those of one turn share a commit; while many
 *             come at once, for as long as they keep coming, up to GATHER_MS
 *   flushing  deciders run, events are appended and folded, then COMMIT; nobody is answered before it
 *   paused    the checkpointer holds the flush until the WAL is truncated
 *   stopped   a COMMIT failed and the disk's state is unknown, the files are gone, or the hub is closing: everything is
 *             refused
 *
 * A decider runs inside the transaction and sees its earlier siblings. A command fails alone: when storing what one of
 * them decided throws, the batch is rolled back and run again with each command in a savepoint, which costs as much as
 * two of its inserts and is needed almost never. When SQLite rolls everything back by itself, the whole batch failed and
 * is told so.
 */

export type BatchLimits = { commands: number; milliseconds: number };

type Command = {
  decide: () => Decision<unknown>;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
};

/** Upkeep of what is stored, such as pruning: rows instead of events, a few at a time, committed with the others. */
type Upkeep = {
  write: () => void;
  resolve: () => void;
  reject: (error: unknown) => void;
};

type Settle = () => void;

/** A commit costs about as much as ten commands. With this many in the last one, waiting for the next few pays. */
const CROWD = 4;
const QUIET_MS = 0.1;
const GATHER_MS = 1;

export type GroupCommit = {
  submit(command: Command | Upkeep): void;
  pause(): void;
  resume(): void;
  /** Runs what waits, then refuses everything after. */
  stop(reason: HubError): void;
  /** Nothing may be stored any more: refuses everything at once. */
  fail(reason: HubError): void;
  /** Why the last batch was not stored, if it was not. */
  lastFailure(): HubError | undefined;
};

type GroupCommitPorts = {
  db: Database;
  limits: BatchLimits;
  monotonic: () => number;
  /** Appends and folds the events of one decision. */
  append: (decision: Decision<unknown>) => HubEvent[];
  /** Writes what the folds kept back: before the commit, and before anything that may be rolled back alone. */
  settle: () => void;
  /** Before the commit, inside it: reactions may submit further commands to the same batch. */
  onApplied: (events: readonly HubEvent[]) => void;
  /** After it, before anybody is answered. */
  onCommitted: (events: readonly HubEvent[]) => void;
  /** After whoever waited for a message was answered. */
  announce: (events: readonly HubEvent[]) => void;
  /** Something that was applied is gone again. */
  onRolledBack: () => void;
  /** Throws a HubError when there is no room to write, or nothing to write to. */
  checkRoom: () => void;
  /** How long a commit took, from its beginning until it was on disk. */
  onTimed: (milliseconds: number) => void;
  /** The disk's state is unknown, or the files are gone: the hub must stop. */
  onFatal: (error: HubError) => void;
};

export function createGroupCommit(ports: GroupCommitPorts): GroupCommit {
  const { db, limits } = ports;
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const savepoint = db.prepare("SAVEPOINT command");
  const release = db.prepare("RELEASE command");
  const rollbackTo = db.prepare("ROLLBACK TO command");

  let queue: (Command | Upkeep)[] = [];
  let mode: "idle" | "scheduled" | "flushing" | "paused" | "stopped" = "idle";
  let stopReason: HubError | undefined;
  let lastFailure: HubError | undefined;
  let lastBatch = 0;
  let untold: (() => void) | undefined;

  function submit(command: Command | Upkeep) {
    if (mode === "stopped") {
      command.reject(stopReason);
      return;
    }
    queue.push(command);
    if (mode === "idle") schedule();
  }

  function schedule() {
    mode = "scheduled";
    const started = ports.monotonic();
    let grewAt = started;
    let size = 0;
    const look = () => {
      if (mode !== "scheduled") return;
      const now = ports.monotonic();
      if (queue.length > size) {
        size = queue.length;
        grewAt = now;
      }
      const isGathering = lastBatch >= CROWD && size < limits.commands && now - started < GATHER_MS;
      if (isGathering && now - grewAt < QUIET_MS) setImmediate(look);
      else flush();
    };
    setImmediate(look);
  }

  function flush() {
    tellNow();
    mode = "flushing";
    const began = ports.monotonic();
    const settles: Settle[] = [];
    const events: HubEvent[] = [];
    const taken: (Command | Upkeep)[] = [];
    let failure: HubError | undefined;
    let written = false;
    /** What comes after these in the queue are reactions to them. */
    const asked = queue.length;
    try {
      ports.checkRoom();
      if (!runBatch(false)) {
        rollBack();
        runBatch(true);
      }
      queue = queue.slice(taken.length);
      lastBatch = taken.length;
    } catch (error) {
      // BEGIN failed, there is no room, or SQLite rolled all of it back: nothing of this batch exists.
      failure = storageError(error);
      if (taken.length === 0) {
        taken.push(...queue.splice(0, limits.commands));
      } else {
        queue = queue.slice(taken.length);
        rollBack();
      }
    }

    /** False: one of them failed, and with it all of them for now. */
    function runBatch(isCareful: boolean): boolean {
      for (const list of [settles, events, taken]) list.length = 0;
      written = false;
      begin.run();
      const started = ports.monotonic();
      while (taken.length < limits.commands && ports.monotonic() - started < limits.milliseconds) {
        const command = queue[taken.length];
        if (command === undefined) break;
        taken.push(command);
        const settle = "write" in command ? runUpkeep(command) : runOne(command, events, isCareful);
        if (settle === undefined) return false;
        settles.push(settle);
        if ("write" in command) written = true;
      }
      return events.length === 0 || trySettle(isCareful);
    }
    if (failure === undefined && events.length === 0 && !written) {
      db.exec("ROLLBACK"); // Only refusals and repeats: nothing to make durable.
    } else if (failure === undefined) {
      try {
        commit.run();
        ports.onTimed(ports.monotonic() - began);
      } catch (error) {
        failure = commitError(error);
        rollBack();
      }
    }
    lastFailure = failure;
    if (failure !== undefined && isFatal(failure)) {
      for (const command of taken) command.reject(failure);
      fail(failure);
      return;
    }
    mode = "idle";
    if (failure === undefined) {
      const reactions = settles.splice(asked);
      const isStored = events.length > 0 || written;
      const tellOthers = () => {
        for (const settle of settles) settle();
        if (isStored) ports.announce(events);
      };
      if (isStored) ports.onCommitted(events);
      for (const settle of reactions) settle();
      if (reactions.length > 0) tellNext(tellOthers);
      else tellOthers();
    } else {
      for (const command of taken) command.reject(failure);
    }
    if (queue.length > 0 && mode === "idle") schedule();
  }

  /** Whoever waits for a message gets it before its sender gets the receipt, and before others hear of it. */
  function tellNext(tell: () => void): void {
    untold = tell;
    setImmediate(tellNow);
  }

  function tellNow(): void {
    const tell = untold;
    untold = undefined;
    tell?.();
  }

  /** Careful, each command has settled for itself: what is left is the disk's to refuse. */
  function trySettle(isCareful: boolean): boolean {
    try {
      ports.settle();
      return true;
    } catch (error) {
      if (isCareful || !db.inTransaction || isStorage(error)) throw error;
      return false;
    }
  }

  function runUpkeep({ write, resolve, reject }: Upkeep): Settle {
    ports.settle();
    savepoint.run();
    try {
      write();
      release.run();
      return resolve;
    } catch (error) {
      if (!db.inTransaction) throw error;
      rollbackTo.run();
      release.run();
      return () => reject(error instanceof SqliteError ? storageError(error) : error);
    }
  }

  /** Decides and appends one command; returns how to answer it once the batch is on disk. */
  function runOne(command: Command, events: HubEvent[], isCareful: boolean): Settle | undefined {
    let decision: Decision<unknown>;
    try {
      decision = command.decide();
    } catch (error) {
      if (!db.inTransaction) throw error;
      return () => command.reject(error);
    }
    if (decision.events.length === 0) {
      const answer = decision.answer([]);
      return () => command.resolve(answer);
    }
    if (isCareful) savepoint.run();
    try {
      const appended = ports.append(decision);
      const answer = decision.answer(appended);
      if (isCareful) {
        ports.settle();
        release.run();
      }
      events.push(...appended);
      ports.onApplied(appended);
      return () => command.resolve(answer);
    } catch (error) {
      if (!db.inTransaction) throw error;
      if (!isCareful) return undefined;
      rollbackTo.run();
      release.run();
      ports.onRolledBack();
      const reason = isStorage(error) ? storageError(error) : error;
      return () => command.reject(reason);
    }
  }

  function rollBack() {
    if (db.inTransaction) db.exec("ROLLBACK");
    ports.onRolledBack();
  }

  function fail(reason: HubError) {
    if (mode === "stopped") return;
    halt(reason);
    ports.onFatal(reason);
  }

  function halt(reason: HubError) {
    mode = "stopped";
    stopReason = reason;
    for (const command of queue.splice(0)) command.reject(reason);
  }

  return {
    submit,
    pause() {
      if (mode === "idle" || mode === "scheduled") mode = "paused";
    },
    resume() {
      if (mode !== "paused") return;
      mode = "idle";
      if (queue.length > 0) schedule();
    },
    stop(reason) {
      while (mode !== "stopped" && queue.length > 0) flush();
      tellNow();
      if (mode !== "stopped") halt(reason);
    },
    fail,
    lastFailure: () => lastFailure,
  };
}
