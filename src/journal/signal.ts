/** Calls `listener` from now on; the returned function ends that, and may be called twice. */
export type Listen<T> = (listener: (value: T) => void) => () => void;

export function createSignal<T>(): { emit: (value: T) => void; listen: Listen<T> } {
  const listeners = new Set<(value: T) => void>();
  return {
    emit(value) {
      for (const listener of listeners) listener(value);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
