import { basename } from "node:path";
import { type CliName, cliNames } from "../vendors/clients.js";
import { vendorOfCli } from "../vendors/vendors.js";
import type { Screen } from "./screen.js";

/** The CLI behind a backend, by its name or its command. A person's own backend may be `my-claude` with command `claude`. */
export function cliOfBackend(backend: {
  name: string;
  command: string;
  vendor?: string;
}): CliName | undefined {
  const candidates = [backend.vendor, basename(backend.command), backend.name];
  return candidates.map((word) => cliOfWord(word ?? "")).find((cli) => cli !== undefined);
}

function cliOfWord(word: string): CliName | undefined {
  return cliNames.find((cli) => word === cli || word.startsWith(`${cli}-`) || word === `${cli}.exe`);
}

/**
 * The CLI whose screen this is: by the command that runs; else by the one rule that finds its input box; else by the title
 * it set, which stays when a CLI is gone, so only while something runs that could be one.
 */
export function cliOfScreen(screen: Screen): CliName | undefined {
  const named = cliOfWord(screen.command);
  if (named !== undefined) return named;
  const titled = cliNames.find((cli) => vendorOfCli(cli).screen.title?.test(screen.title) === true);
  const known = cliNames.filter((cli) => vendorOfCli(cli).screen.findBox(screen) !== undefined);
  if (known.length === 0) return /^(?:node|bun|deno)/.test(screen.command) ? titled : undefined;
  return known.length === 1 ? known[0] : known.find((cli) => cli === titled);
}
