/** Asks again after something changed: at once, then at most so often, and never twice at a time. */
export type Refresh = { soon(): void; stop(): void };

/** `load` MUST NOT reject. */
export function refreshSoon(load: () => Promise<void>, pauseMs: number): Refresh {
  let isBusy = false;
  let isWanted = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    isBusy = true;
    isWanted = false;
    await load();
    if (isOver) return;
    timer = setTimeout(() => {
      isBusy = false;
      if (isWanted) void run();
    }, pauseMs);
  }

  return {
    soon() {
      isWanted = true;
      if (!isBusy && !isOver) void run();
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
