import { Worker } from "node:worker_threads";
import type { IndexedMessage } from "./search-words.js";

/** What the search thread starts from: an index of another version, or ahead of the journal, is rebuilt. */
export type SearchStart = { file: string; version: number; newest: number };

type Searched = "messages" | "turns";

export type SearchAsk =
  | { kind: "place" }
  | { kind: "add"; rows: readonly ({ seq: number; of: Searched } & IndexedMessage)[]; upTo: number }
  | {
      kind: "find";
      of: Searched;
      expression: string | undefined;
      after: number;
      before: number;
      limit: number;
    }
  /** Which of these match. */
  | { kind: "choose"; of: Searched; expression: string; seqs: readonly number[] }
  | { kind: "prune"; upTo: number; limit: number }
  | { kind: "close" };

type Answer = { id: number; seqs: number[] } | { id: number; problem: string };

/** The thread that owns the search index: asked one thing at a time, in order. */
export type SearchPort = {
  ask(question: SearchAsk): Promise<number[]>;
  hasEnded(): boolean;
  close(): Promise<void>;
};

export function startSearchThread(start: SearchStart): SearchPort {
  const waiting = new Map<number, { resolve: (seqs: number[]) => void; reject: (error: Error) => void }>();
  let asked = 0;
  let ended: Error | undefined;
  const worker = new Worker(new URL("./search-worker.js", import.meta.url), { workerData: start });
  worker.unref();
  worker.on("message", (answer: Answer) => {
    const question = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("problem" in answer) question?.reject(new Error(`search: ${answer.problem}`));
    else question?.resolve(answer.seqs);
  });
  const end = (error: Error) => {
    ended = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on("error", end);
  worker.on("exit", () => end(new Error("the search thread has ended")));

  function ask(question: SearchAsk): Promise<number[]> {
    if (ended !== undefined) return Promise.reject(ended);
    return new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ask: question });
    });
  }

  return {
    ask,
    hasEnded: () => ended !== undefined,
    async close() {
      if (ended !== undefined) return;
      worker.ref(); // Or the process may end before it has closed its file.
      const exit = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
      ask({ kind: "close" }).catch(() => {});
      await exit;
    },
  };
}
