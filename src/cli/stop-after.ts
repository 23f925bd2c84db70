import type { CliContext } from "./context.js";

type StopAfter = {
  /** Aborted by Ctrl-C, or when the time of --timeout is up. */
  signal: AbortSignal;
  isTimeUp: () => boolean;
  end: () => void;
};

/** For what goes on until somebody ends it: --timeout is how long. */
export function stopAfter({ io, globals }: CliContext): StopAfter {
  const interruption = io.interruption();
  // Not AbortSignal.any: Node 20 forgets its sources when garbage is collected, and then it never aborts.
  const over = new AbortController();
  const stop = () => over.abort();
  let timeUp = false;
  const timer =
    globals.timeout === undefined
      ? undefined
      : setTimeout(() => {
          timeUp = true;
          stop();
        }, globals.timeout);
  interruption.addEventListener("abort", stop, { once: true });
  if (interruption.aborted) stop();
  return {
    signal: over.signal,
    isTimeUp: () => timeUp,
    end() {
      clearTimeout(timer);
      interruption.removeEventListener("abort", stop);
    },
  };
}
