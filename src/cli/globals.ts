import type { Command } from "commander";
import { parseDuration } from "./amounts.js";

/** What every command understands. */
export type Globals = {
  json: boolean;
  quiet: boolean;
  color: boolean;
  timeout: number | undefined;
  hub: string | undefined;
  /** False: no browser is opened. */
  open: boolean;
};

export function addGlobalOptions(program: Command): Command {
  return program
    .option("--json", "print one JSON document instead of text")
    .option("-q, --quiet", "print results only")
    .option("--no-color", "print without colours (NO_COLOR does the same)")
    .option("--timeout <time>", "give up after this long, such as 30s", parseDuration)
    .option("--hub <url>", "talk to this hub instead of the one that runs here")
    .option("--no-open", "do not open the desk in the browser");
}

/** Options of `addGlobalOptions` that take a value, for whoever reads argv before commander does. */
const globalsWithValue: ReadonlySet<string> = new Set(["--timeout", "--hub"]);

export function readGlobals(program: Command): Globals {
  const { json, quiet, color, timeout, hub, open } = program.opts<Partial<Globals>>();
  return {
    json: json === true,
    quiet: quiet === true,
    color: color !== false,
    timeout,
    hub,
    open: open !== false,
  };
}

/** The words of a command line that are not options: the first is the command. */
export function wordsOf(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--") return words.concat(argv.slice(i + 1));
    if (globalsWithValue.has(word)) i++;
    else if (!word.startsWith("-") || word === "-") words.push(word);
  }
  return words;
}

/** Known before commander is asked: its own complaints must come in the wanted form too. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end === -1 ? argv : argv.slice(0, end)).includes("--json");
}

/** For an option that may be given several times. */
export function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}
