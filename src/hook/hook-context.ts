import type { HookIdentity } from "./find-identity.js";
import type { Handovers } from "./handovers.js";

export type HookContext = {
  /** The process of the CLI. */
  cli: number;
  /** Looked for again each time: the bridge may have started meanwhile, and the hub moved. */
  identity(): HookIdentity | undefined;
  handovers: Handovers;
  /** With --verbose only. */
  say(what: string): void;
};
