import { statSync } from "node:fs";
import type { Environment } from "../process/environment.js";
import { runCommand } from "../process/run-command.js";

/*
 * The versions of CLIs, as they tell them. A CLI takes up to seconds to say its version, so each is asked once, beside everything
 * else, and again when its file is another.
 */

type Versions = {
  /** Undefined while it is looked for; null if it did not tell. */
  known(program: string): string | null | undefined;
  /** Has it looked for, unless it is known. */
  look(program: string, env: Environment): Promise<void>;
  end(): void;
};

type Entry = { mark: string; version: string | null | undefined; done: Promise<void>; at: number };

const WITHIN_MS = 15_000;
/** One that did not tell is asked again after this. */
const AGAIN_MS = 60_000;
/** CLIs that are asked at the same time: each takes a core. */
const AT_ONCE = 2;

export function createVersions(now: () => number): Versions {
  const found = new Map<string, Entry>();
  const ending = new AbortController();
  const queue: (() => Promise<void>)[] = [];
  let running = 0;

  function next() {
    const ask = running < AT_ONCE ? queue.shift() : undefined;
    if (ask === undefined) return;
    running++;
    void ask().finally(() => {
      running--;
      next();
    });
  }

  function begin(program: string, env: Environment, mark: string): Entry {
    let finish = () => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const entry: Entry = { mark, version: undefined, done, at: now() };
    queue.push(async () => {
      entry.version = await askVersion(program, env, ending.signal).catch(() => null);
      entry.at = now();
      finish();
    });
    next();
    return entry;
  }

  return {
    known: (program) => found.get(program)?.version,
    look(program, env) {
      const mark = markOf(program);
      const before = found.get(program);
      const isStale = before?.version === null && now() - before.at > AGAIN_MS;
      const entry = before?.mark === mark && !isStale ? before : begin(program, env, mark);
      found.set(program, entry);
      return entry.done;
    },
    end: () => ending.abort(),
  };
}

async function askVersion(program: string, env: Environment, signal: AbortSignal): Promise<string | null> {
  const asked = await runCommand({
    argv: [program, "--version"],
    cwd: "/",
    env,
    withinMs: WITHIN_MS,
    install: "",
    signal,
  });
  return asked?.exit === 0 ? readVersion(asked.output) : null;
}

/** `codex-cli 0.166.0`, `2.1.325 (Claude Code)`: the first that looks like one. */
export function readVersion(output: string): string | null {
  return /\b\d+\.\d+(?:\.\d+)*(?:[-+][\w.-]+)?/.exec(output)?.[0] ?? null;
}

/** Another version is another file, or the same one written anew. */
function markOf(program: string): string {
  const stats = statSync(program, { throwIfNoEntry: false });
  return `${stats?.mtimeMs} ${stats?.size}`;
}
