import { setTimeout as sleep } from "node:timers/promises";
import type { Launch } from "../runtime.js";
import type { SessionTraces } from "../vendors/vendor.js";
import { vendorOf } from "../vendors/vendors.js";

const pollMs = 200;

/** Waits until the CLI has the session that it was told to take up, where its screen does not tell. Not forever: it may only be slow to say so. */
export async function waitSession(
  { backend, resume }: Launch,
  traces: SessionTraces,
  withinMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const vendor = vendorOf(backend);
  if (resume === undefined || vendor?.resumesLate !== true) return;
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    if ((await vendor.findSession?.(traces)) !== undefined) return;
    await sleep(pollMs);
  }
}
