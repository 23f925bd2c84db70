import { afterAll, afterEach } from "vitest";

type Closing = () => Promise<unknown>;

/**
 * One for all tests of a block, opened by the first that asks. What it opens it registers to be closed, last opened first.
 * After a failed test it is closed and the next gets another: what one test broke fails no other, and a retry starts over.
 */
export function shared<T>(open: (onClose: (closing: Closing) => void) => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  const closings: Closing[] = [];

  async function end(): Promise<void> {
    await current?.catch(() => {}); // Whoever asked for it was told.
    current = undefined;
    for (const close of closings.splice(0).reverse()) await close();
  }

  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await end();
  });
  afterAll(end);
  return () => {
    current ??= open((closing) => void closings.push(closing));
    return current;
  };
}
