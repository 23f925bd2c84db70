/** Runs something later, unless it is called off first. */
export type After = (ms: number, run: () => void) => () => void;

export const systemTimers: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
};
