import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toolsListedMark } from "../../model/tools-listed-mark.js";
import type { Launch } from "../runtime.js";

/*
 * Claude shows its input box before its MCP servers are there, and a turn that begins then runs without their tools. So
 * the first line is put in when the bridge has listed its tools, which it marks by a file in the agent's folder, and sent a little
 * later, when the CLI has made them its own; not never, because tools that are missing are no reason not to start.
 */

const pollMs = 15;
const takesInMs = 150;

/** What an earlier run of the agent left there says nothing of the next. */
export async function forgetBridge({ folder }: Launch): Promise<void> {
  await rm(join(folder, toolsListedMark), { force: true });
}

/** Resolves when a line may be put in, to when it may be sent, by `performance.now()`. `withinMs` counts from the call. */
export function createBridgeWait(
  { bridge, folder }: Launch,
  withinMs: number,
): (signal: AbortSignal) => Promise<number> {
  const deadline = performance.now() + withinMs;
  const mark = join(folder, toolsListedMark);
  let sendAfter: number | undefined;

  async function untilListed(signal: AbortSignal): Promise<number> {
    while (bridge.length > 0 && performance.now() < deadline) {
      const listed = statSync(mark, { throwIfNoEntry: false });
      if (listed !== undefined) return performance.now() + restOf(Date.now() - listed.mtimeMs);
      await sleep(pollMs, undefined, { signal });
    }
    return 0;
  }

  return async (signal) => {
    sendAfter ??= await untilListed(signal);
    return sendAfter;
  };
}

/** A clock that was moved meanwhile costs no more than the whole time. */
function restOf(ageMs: number): number {
  return takesInMs - Math.max(0, Math.min(takesInMs, ageMs));
}
