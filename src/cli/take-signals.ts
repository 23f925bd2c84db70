import type { CliIo } from "./cli-io.js";

const ending = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** For a command that must not end before it has cleaned up: every signal that ends programs only tells it to, however often it comes. */
export function takeSignals(io: CliIo): { signal: AbortSignal; release(): void } {
  const told = new AbortController();
  const tell = () => told.abort(new Error("interrupted"));
  for (const name of ending) process.on(name, tell);
  return {
    signal: AbortSignal.any([io.interruption(), told.signal]),
    release() {
      for (const name of ending) process.off(name, tell);
    },
  };
}
