import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toolsListedMark } from "../../model/tools-listed-mark.js";
import type { Launch } from "../runtime.js";

/*
 * Claude shows its input box before its MCP servers are there, and a turn that begins then runs without their tools. So
 * the first prompt waits until the bridge has listed its tools, which it marks by a file in the agent's folder, and a little
 * longer, in which the CLI makes them its own; not forever, because tools that are missing are no reason not to start.
 */

const pollMs = 40;
const takesInMs = 150;

/** What an earlier run of the agent left there says nothing of the next. */
export async function forgetBridge({ folder }: Launch): Promise<void> {
  await rm(join(folder, toolsListedMark), { force: true });
}

export async function waitBridge(
  { bridge, folder }: Launch,
  withinMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  const mark = join(folder, toolsListedMark);
  while (bridge.length > 0 && performance.now() < deadline) {
    signal?.throwIfAborted();
    if (existsSync(mark)) return sleep(takesInMs);
    await sleep(pollMs);
  }
}
