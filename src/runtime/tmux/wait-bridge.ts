import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Launch } from "../runtime.js";

/*
 * Claude shows its input box before its MCP servers are there, and a turn that begins then runs without their tools. So
 * the first prompt waits until the bridge runs, and a little longer for its greeting; not forever, because tools that
 * are missing are no reason not to start.
 */

const greetingMs = 1500;

export async function waitBridge({ bridge }: Launch, withinMs: number, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + withinMs;
  const own = bridge.slice(1).join(" ");
  while (own !== "" && performance.now() < deadline) {
    signal?.throwIfAborted();
    if ((await commandLines()).some((line) => line.includes(own))) return sleep(greetingMs);
    await sleep(100);
  }
}

/** The bridge's argv ends in its identity file, which is this agent's alone. */
async function commandLines(): Promise<string[]> {
  const options = { maxBuffer: 16 * 1024 * 1024 };
  // Where there is no ps, it waits for nothing.
  const { stdout } = await promisify(execFile)("ps", ["-axww", "-o", "command="], options).catch(() => ({
    stdout: "",
  }));
  return stdout.split("\n");
}
