import type { StateKind } from "./driver-model.js";

/** Who waits for a driver to be in some state. */
export function createStateWatch(state: () => StateKind, onState: (kind: StateKind) => void = () => {}) {
  const watchers = new Set<(kind: StateKind) => void>();
  return {
    changed() {
      onState(state());
      for (const watch of watchers) watch(state());
    },
    /** Resolves when it is in one of these. */
    reaches(...kinds: StateKind[]): Promise<StateKind> {
      if (kinds.includes(state())) return Promise.resolve(state());
      return new Promise((resolve) => {
        const watch = (kind: StateKind) => {
          if (!kinds.includes(kind)) return;
          watchers.delete(watch);
          resolve(kind);
        };
        watchers.add(watch);
      });
    },
  };
}
