import { setTimeout as sleep } from "node:timers/promises";
import type { Launch } from "../runtime.js";
import type { SessionTraces } from "../vendors/vendor.js";
import { vendorOf } from "../vendors/vendors.js";
import { type Look, lookUntil, type Pane } from "./pane.js";

const pollMs = 200;

/**
 * Waits until the CLI has the session that it was told to take up, where its input box is there before that. Not forever: it may only be
 * slow to say so.
 */
export async function waitSession(
  pane: Pane,
  { backend, resume }: Launch,
  traces: SessionTraces,
  signal?: AbortSignal,
): Promise<void> {
  if (resume === undefined) return;
  const forMs = pane.times.readyTimeoutMs;
  if (pane.rule.showsHistoryLate === true) {
    const isShown = (now: Look) => now.reading.state === "exited" || showsMessage(pane, now);
    await lookUntil(pane, isShown, { forMs, everyMs: pollMs, signal });
  }
  const vendor = vendorOf(backend);
  const deadline = performance.now() + forMs;
  while (vendor?.resumesLate === true && performance.now() < deadline) {
    signal?.throwIfAborted();
    if ((await vendor.findSession?.(traces)) !== undefined) return;
    await sleep(pollMs);
  }
}

/** Something that was sent to it stands above its box. */
function showsMessage({ rule }: Pane, { reading, screen }: Look): boolean {
  if (!("box" in reading) || reading.box === undefined) return false;
  return screen.rows.slice(0, reading.box.top).some(({ text }) => rule.sent.before.test(text));
}
