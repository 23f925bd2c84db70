import { afterAll, afterEach } from "vitest";

type Closable = { close(): Promise<unknown> };

/**
 * One for all tests of a block, opened by the first that asks. After a failed test it is closed and the next gets another:
 * what one test broke fails no other, and a retry begins anew.
 */
export function shared<T extends Closable>(open: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;

  async function end(): Promise<void> {
    const last = current;
    current = undefined;
    const opened = await last?.catch(() => undefined); // Whoever asked for it was told.
    await opened?.close();
  }

  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await end();
  });
  afterAll(end);
  return () => {
    current ??= open();
    return current;
  };
}
