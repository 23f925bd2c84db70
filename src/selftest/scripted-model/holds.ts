/** Places where scripts wait until the test lets them go on. Released once, they stay open. */
export type Holds = {
  release(name: string): void;
  wait(name: string, signal: AbortSignal): Promise<void>;
};

export function createHolds(): Holds {
  const open = new Set<string>();
  const waiting = new Map<string, Set<() => void>>();
  return {
    release(name) {
      open.add(name);
      for (const go of waiting.get(name) ?? []) go();
      waiting.delete(name);
    },
    wait(name, signal) {
      if (open.has(name)) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const fail = () => reject(new Error("the client hung up"));
        if (signal.aborted) fail();
        signal.addEventListener("abort", fail, { once: true });
        const go = () => {
          signal.removeEventListener("abort", fail);
          resolve();
        };
        waiting.set(name, (waiting.get(name) ?? new Set()).add(go));
      });
    },
  };
}
