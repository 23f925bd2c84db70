import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Database } from "./sqlite/port.js";

/*
 * Keeps the WAL short. After a commit: with more than `soft` bytes not yet in the database a passive checkpoint starts
 * in the worker, beside the writer. What came in meanwhile is little, so the flush is paused for the moment that it
 * takes to write that back too: only then does SQLite start the file over, and a commit that overwrites costs half of
 * one that makes the file longer. With a file above `cap` the flush is paused while the worker truncates. A truncation
 * that fails (a full disk) is tried again after `retryMs`: until then the journal's own check for room decides whether
 * anything may be written.
 */
export type WalLimits = { soft: number; cap: number; retryMs: number };

type CheckpointMode = "passive" | "restart" | "truncate";

type Checkpointer = {
  afterCommit(): void;
  /** Does not try to cut the log while something reads it for long: commits would wait for that. */
  spare<T>(reading: () => Promise<T>): Promise<T>;
  walBytes(): number;
  close(): Promise<void>;
};

type CheckpointerPorts = {
  db: Database;
  limits: WalLimits;
  pause(): void;
  resume(): void;
  onProblem(message: string): void;
};

/** The file keeps its size when SQLite starts it over, so what waits is asked of SQLite, once in this many commits. */
const ASK_EVERY = 16;
/** And the file's size no oftener than this: in so short a time it grows by little. */
const LOOK_MS = 2;

export function startCheckpointer({ db, limits, pause, resume, onProblem }: CheckpointerPorts): Checkpointer {
  const file = db.name;
  const wal = `${file}-wal`;
  const pageSize = Number(db.pragma("page_size", { simple: true }));
  const progress = db.prepare<[], { log: number; checkpointed: number }>("PRAGMA wal_checkpoint(NOOP)");
  /** Started when it is needed first, and again after it failed. */
  let worker: Worker | undefined;
  let running: "none" | CheckpointMode = "none";
  let notBefore = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let commits = 0;
  let isClosed = false;
  let spared = 0;

  function startWorker(): Worker {
    const started = new Worker(new URL("./checkpoint-worker.js", import.meta.url), { workerData: { file } });
    started.unref();
    started.on("message", finish);
    started.on("error", (error) => {
      worker = undefined;
      finish(error.message);
    });
    return started;
  }

  function finish(problem: string | null) {
    const finished = running;
    running = "none";
    if (problem !== null) {
      onProblem(problem);
      notBefore = performance.now() + limits.retryMs;
    }
    if (finished === "passive" && problem === null) {
      pause();
      start("restart");
    } else resume();
  }

  function walBytes(): number {
    return statSync(wal, { throwIfNoEntry: false })?.size ?? 0;
  }

  function waiting(): number {
    const frames = progress.get();
    return frames === undefined ? 0 : (frames.log - frames.checkpointed) * pageSize;
  }

  function start(mode: CheckpointMode) {
    running = mode;
    worker ??= startWorker();
    worker.postMessage(mode.toUpperCase());
  }

  function afterCommit() {
    const now = performance.now();
    if (isClosed || now < notBefore || now - lookedAt < LOOK_MS) return;
    lookedAt = now;
    const bytes = walBytes();
    if (bytes > limits.cap && spared === 0) {
      pause(); // A checkpoint that is under way resumes as well.
      if (running === "none") start("truncate");
      return;
    }
    if (running !== "none" || bytes <= limits.soft || ++commits % ASK_EVERY !== 0) return;
    if (waiting() > limits.soft) start("passive");
  }

  return {
    afterCommit,
    async spare(reading) {
      spared++;
      try {
        return await reading();
      } finally {
        spared--;
      }
    },
    walBytes,
    close() {
      isClosed = true;
      const closing = worker;
      if (closing === undefined) return Promise.resolve();
      return new Promise((resolve) => {
        closing.ref(); // Or the process may end before it has.
        closing.once("exit", () => resolve());
        closing.postMessage("CLOSE");
      });
    },
  };
}
