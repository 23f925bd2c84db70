import { vi } from "vitest";

/** Waits until the check passes; its last failure if it never does. Long enough for a machine that is busy with other tests. */
export function patiently<T>(check: () => T | Promise<T>, timeout = 30_000): Promise<T> {
  return vi.waitFor(check, { timeout, interval: 20 });
}
