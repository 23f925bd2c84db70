import type { OfflineClient, OfflineWorld } from "../../src/selftest/offline/offline-client.js";

/*
 * How a test runs a vendor's CLI offline by itself: what the self-test knows of it, and its flags. One file per CLI says it; nothing else
 * knows their flags.
 */

export type ClientName = "claude" | "codex" | "gemini" | "qwen" | "droid" | "opencode" | "copilot";

export type ClientWorld = OfflineWorld;

export type Launch = {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** What it reads from its input; nothing if left out. */
  stdin?: string;
};

export type Client = OfflineClient & {
  name: ClientName;
  /** What it calls itself to an MCP server. */
  mcpName: RegExp;
  /** Its programs among the installed ones: the CLI, and its ACP adapter where that is another. */
  programs: readonly string[];
  /** One prompt, answered and gone; `resume` goes on with a session. */
  headless(world: ClientWorld, prompt: string, resume?: string): Launch;
  /** Its screen, for a terminal. */
  tui(world: ClientWorld): Launch;
  /** As an agent of the Agent Client Protocol on stdio. */
  acp(world: ClientWorld): Launch;
  /** The environment of a subscriber, where only those have a usage limit. */
  subscribed?(env: Launch["env"]): Launch["env"];
  /** What a headless run printed. */
  readRun(stdout: string): HeadlessResult;
  /** It reads its input box a moment after Enter: what is typed in that moment goes with the line, whoever pressed Enter. */
  readsLate?: true;
};

export type HeadlessResult = { session: string | undefined; text: string };
