import { vi } from "vitest";
import { PATIENCE_MS } from "./patience.js";

/** Waits until the check passes; its last failure if it never does. */
export function patiently<T>(check: () => T | Promise<T>, timeout = PATIENCE_MS): Promise<T> {
  return vi.waitFor(check, { timeout, interval: 20 });
}
