import type { RuntimeKind } from "../../src/model/hosting.js";
import type { Behaviour } from "./grid.js";

/*
 * How a test runs a vendor's CLI offline: a home of its own, a clean environment, configuration that points at the
 * scripted model. One file per CLI says it; nothing else knows their flags.
 */

export type ClientName = "claude" | "codex" | "gemini" | "qwen" | "droid" | "opencode" | "copilot";

/** Where one CLI lives during a test. */
export type ClientWorld = {
  /** Thrown away afterwards. */
  home: string;
  /** The project that it works in. */
  cwd: string;
  /** Where its model is. */
  modelUrl: string;
  /** MCP servers over stdio, by name. */
  mcp: Readonly<Record<string, McpCommand>>;
};

type McpCommand = { command: string; args: readonly string[]; env?: Readonly<Record<string, string>> };

export type Launch = {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** What it reads from its input; nothing if left out. */
  stdin?: string;
};

export type Client = {
  name: ClientName;
  /** What Huddle calls it. */
  backend: string;
  /** What it calls itself to an MCP server. */
  mcpName: RegExp;
  /** Its programs among the installed ones: the CLI, and its ACP adapter where that is another. */
  programs: readonly string[];
  /** What the hub must add to every launch, where the CLI's own configuration cannot say it. */
  hostedArgs?: readonly string[];
  /** Writes its configuration. */
  setUp(world: ClientWorld): void;
  /** One prompt, answered and gone; `resume` goes on with a session. */
  headless(world: ClientWorld, prompt: string, resume?: string): Launch;
  /** Its screen, for a terminal. */
  tui(world: ClientWorld): Launch;
  /** As an agent of the Agent Client Protocol on stdio. */
  acp(world: ClientWorld): Launch;
  /** What a headless run printed. */
  readRun(stdout: string): HeadlessResult;
  /** It reads its input box a moment after Enter: what is typed in that moment goes with the line, whoever pressed Enter. */
  readsLate?: true;
  /** What it has no way to do under a runtime, with the evidence: what it says of itself, which does not have the words. */
  cannot?: readonly Cannot[];
};

type Cannot = {
  runtime: RuntimeKind;
  behaviour: Behaviour;
  /** Arguments of the CLI that make it tell what it can do. */
  told: readonly string[];
  /** How a way would be named there. */
  lacks: RegExp;
  evidence: string;
};

export type HeadlessResult = { session: string | undefined; text: string };
