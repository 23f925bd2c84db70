import { Command } from "commander";
import { readVersion } from "../client/version.js";
import { commandTable } from "./command-table.js";
import type { Act } from "./context.js";
import { addGlobalOptions } from "./globals.js";

type ProgramOptions = {
  /** The command that will run: the only one whose options are known. */
  command: string | undefined;
  act: (program: Command) => Act;
  write: (text: string) => void;
};

/** The commands as commander knows them. It throws instead of exiting, and leaves complaints to whoever catches. */
export async function buildProgram({ command, act, write }: ProgramOptions): Promise<Command> {
  const program = new Command("huddle")
    .description(
      "Every coding agent you run gets a name and an inbox.\nWithout a command: starts the hub if needed, prints its address and opens the desk.",
    )
    .version(readVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => {} })
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (sub) => `${sub.name()} ${usages.get(sub.name()) ?? ""}`.trimEnd(),
    });
  addGlobalOptions(program);
  for (const entry of commandTable) {
    const sub = program.command(entry.name).description(entry.summary);
    if (entry.name === command) (await entry.load()).define(sub, act(program));
  }
  program.action(async () => {
    const { startAndOpen } = await import("./commands/up.js");
    await act(program)(startAndOpen);
  });
  return program;
}

const usages: ReadonlyMap<string, string> = new Map([
  ...commandTable.map(({ name, usage }) => [name, usage] as const),
  ["help", "[COMMAND]"] as const,
]);
