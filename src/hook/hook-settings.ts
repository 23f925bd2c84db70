import { homedir } from "node:os";
import { isHosted } from "../bridge/hosted.js";
import { resolvePaths } from "../client/paths.js";

/** A person must not notice that there is a hook. */
export const WITHIN_MS = 500;

/** How the hook was started. */
export type HookSettings = {
  mode: "once" | "wake" | "print" | "help";
  /** Where the hub and its bridges keep what they know. */
  data: string;
  identityFile: string | undefined;
  verbose: boolean;
  /** How long it may take, from the start of the process to its end. */
  withinMs: number;
  /** The hub runs this CLI and hands it its mail itself. */
  standsAside: boolean;
};

export function readHookSettings(argv: readonly string[], env: NodeJS.ProcessEnv): HookSettings {
  const settings: HookSettings = {
    mode: "once",
    data: resolvePaths(env, homedir()).data,
    identityFile: undefined,
    verbose: false,
    withinMs: WITHIN_MS,
    standsAside: isHosted(env),
  };
  for (let i = 0; i < argv.length; i++) {
    const [, flag = "", inline] = /^(--[\w-]+)(?:=(.*))?$/s.exec(argv[i] ?? "") ?? [];
    if (flag === "--wake") settings.mode = "wake";
    else if (flag === "--print-settings") settings.mode = "print";
    else if (flag === "--verbose") settings.verbose = true;
    else if (flag === "--identity") settings.identityFile = inline ?? argv[++i];
    else if (flag === "--within") settings.withinMs = Number(inline ?? argv[++i]);
    else return { ...settings, mode: "help" };
  }
  return settings.withinMs > 0 ? settings : { ...settings, mode: "help" };
}
