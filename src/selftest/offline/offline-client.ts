import type { RuntimeKind } from "../../model/hosting.js";
import type { VendorName } from "../../runtime/vendors/clients.js";

/*
 * How a vendor's CLI is run on the scripted model, without an account: configuration in a home of its own that points at the model, and
 * variables that keep it from asking and from calling its maker. One file per vendor says it; nothing else knows these settings.
 */

/** Where one CLI lives. */
export type OfflineWorld = {
  /** Thrown away afterwards. */
  home: string;
  /** The project that it works in. */
  cwd: string;
  /** Where its model is. */
  modelUrl: string;
  /** MCP servers over stdio, by name. */
  mcp: Readonly<Record<string, McpCommand>>;
  /** Of the CLI, where it is known. */
  version?: string | undefined;
  /** Where it unpacks itself; default: in its home. */
  cache?: string;
};

type McpCommand = { command: string; args: readonly string[]; env?: Readonly<Record<string, string>> };

export type OfflineClient = {
  /** What Huddle calls it. */
  backend: VendorName;
  /** What the hub must add to every launch but that of its screen, where the CLI's own configuration cannot say it. */
  hostedArgs?: readonly string[];
  /** Writes its configuration. */
  setUp(world: OfflineWorld): void;
  env(world: OfflineWorld): Readonly<Record<string, string>>;
  /** Runtimes under which it has no way to ask, with the evidence: what it says of itself, which does not have the words. */
  cannotAsk?: readonly CannotAsk[];
};

type CannotAsk = {
  runtime: RuntimeKind;
  /** Arguments of the CLI that make it tell what it can do. */
  told: readonly string[];
  /** How a way would be named there. */
  lacks: RegExp;
  evidence: string;
};
