import { linkClosed } from "../link.js";

/** Work that ends at once when the link is closed. */
export type UntilClosed = {
  run<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
};

export function createUntilClosed(): UntilClosed {
  const open = new Set<(reason: Error) => void>();
  let isClosed = false;
  return {
    run<T>(work: () => Promise<T>): Promise<T> {
      if (isClosed) return Promise.reject(linkClosed());
      return new Promise<T>((resolve, reject) => {
        open.add(reject);
        work()
          .then(resolve, reject)
          .finally(() => open.delete(reject));
      });
    },
    close() {
      isClosed = true;
      for (const reject of open) reject(linkClosed());
    },
  };
}
