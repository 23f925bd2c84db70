import { Command } from "commander";
import { readVersion } from "../client/version.js";
import { commandTable } from "./command-table.js";
import type { Act } from "./context.js";
import { addGlobalOptions } from "./globals.js";
import {
  describeOption,
  renderCommandHelp,
  renderCommandList,
  renderExamples,
  USUAL_WIDTH,
} from "./help-text.js";
import { wrapText } from "./wrap-text.js";

type ProgramOptions = {
  /** The command that will run: the only one whose options are known. */
  command: string | undefined;
  act: (program: Command) => Act;
  write: (text: string) => void;
  /** Columns of the terminal; undefined when what reads is a program. */
  width?: number | undefined;
};

/** The commands as commander knows them. It throws instead of exiting, and leaves complaints to whoever catches. */
export async function buildProgram({ command, act, write, width }: ProgramOptions): Promise<Command> {
  const program: Command = new Command("huddle")
    .description(
      "Every coding agent you run gets a name and an inbox.\nWithout a command: starts the hub if needed, prints its address and opens the desk.",
    )
    .version(readVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => write(wrapText(text, width)),
      writeErr: (text) => write(wrapText(text, width)),
      getOutHelpWidth: () => width ?? USUAL_WIDTH,
      outputError: () => {},
    })
    .configureHelp({
      optionDescription: describeOption,
      formatHelp: (shown, help): string =>
        shown.parent === null ? renderCommandList(program, width) : renderCommandHelp(shown, help),
    });
  addGlobalOptions(program);
  for (const entry of commandTable) {
    const { name, aliases = [] } = entry;
    const sub = program.command(name).aliases(aliases).description(entry.summary);
    if (command === undefined || (name !== command && !aliases.includes(command))) continue;
    (await entry.load()).define(sub, act(program));
    sub.addHelpText("after", renderExamples(name));
  }
  program.action(async () => {
    const { startAndOpen } = await import("./commands/up.js");
    await act(program)(startAndOpen);
  });
  return program;
}
