import type { Command } from "commander";
import { parseDuration } from "./parse-duration.js";

/** What every command understands. */
export type Globals = {
  json: boolean;
  quiet: boolean;
  color: boolean;
  timeout: number | undefined;
  hub: string | undefined;
};

export function addGlobalOptions(program: Command): Command {
  return program
    .option("--json", "print one JSON document instead of text")
    .option("-q, --quiet", "print results only")
    .option("--no-color", "print without colours (NO_COLOR does the same)")
    .option("--timeout <time>", "give up after this long, such as 30s", parseDuration)
    .option("--hub <url>", "talk to this hub instead of the one that runs here");
}

/** Options of `addGlobalOptions` that take a value, for whoever reads argv before commander does. */
export const globalsWithValue: ReadonlySet<string> = new Set(["--timeout", "--hub"]);

export function readGlobals(program: Command): Globals {
  const { json, quiet, color, timeout, hub } = program.opts<Partial<Globals>>();
  return { json: json === true, quiet: quiet === true, color: color !== false, timeout, hub };
}
