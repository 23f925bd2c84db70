import { Worker } from "node:worker_threads";
import { damaged } from "./storage-error.js";

/**
 * Reads every page of the journal's file, in a thread, and throws DATA_CORRUPT if one is damaged. Start-up reads few of
 * them: without this, damage shows only when somebody's message meets it.
 */
export function checkPages(file: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // The thread cannot be interrupted; between two tables it looks whether it should go on.
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const callOff = () => Atomics.store(stop, 0, 1);
    if (signal.aborted) callOff();
    signal.addEventListener("abort", callOff, { once: true });
    const worker = new Worker(new URL("./check-worker.js", import.meta.url), { workerData: { file, stop } });
    worker.unref();
    let found: string | null = null;
    worker.once("message", (problem: string | null) => {
      found = problem;
    });
    worker.once("error", reject);
    // Not before: a process that ends while the thread is inside of SQLite is aborted by it.
    worker.once("exit", () => (found === null ? resolve() : reject(damaged(file, found))));
  });
}
