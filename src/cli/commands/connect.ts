import { Option } from "commander";
import type { Scope } from "../../runtime/vendors/connection.js";
import type { CliContext, DefineCommand } from "../context.js";
import { EXIT_FAILED, EXIT_OK } from "../exit-codes.js";
import { usageError } from "../usage-error.js";

type ConnectFlags = { print?: true; dryRun?: true; undo?: true; scope: Scope; hooks?: boolean; yes?: true };

const EXAMPLES = `
Examples:
  huddle connect                     find the CLIs here, show what would change, and ask
  huddle connect claude codex        only these
  huddle connect --dry-run           only show it
  huddle connect --yes --hooks       write it unasked, with the hooks of Claude Code
  huddle connect --scope project     in this folder's files; they will hold paths of this machine
  huddle connect --print             print the entries, to write them yourself
  huddle connect --undo              take all of it out again

It knows claude, codex, gemini, qwen, droid, opencode, copilot and vscode.`;

export const define: DefineCommand = (command, act) => {
  command
    .argument("[cli...]", "the CLIs to connect; default: all that are installed")
    .option("--print", "print what belongs into which file, and write nothing")
    .option("--dry-run", "show what would change, and write nothing")
    .option("--undo", "take out what huddle connect wrote")
    .addOption(
      new Option("--scope <scope>", "for all your projects, or in this folder")
        .choices(["user", "project"])
        .default("user"),
    )
    .option("--hooks", "install the hooks of Claude Code, which hand over mail by themselves")
    .option("--no-hooks", "do not install or ask about them")
    .option("-y, --yes", "write without asking")
    .addHelpText("after", EXAMPLES)
    .action((names: string[], flags: ConnectFlags) => act((cli) => connect(cli, names, flags)));
};

async function connect(cli: CliContext, names: readonly string[], flags: ConnectFlags): Promise<number> {
  const { scope, hooks } = flags;
  if (flags.undo === true) {
    if (flags.print === true) throw usageError("--undo and --print do not go together");
    return undo(cli, names, flags.dryRun === true);
  }
  if (flags.print === true) {
    const { printEntries } = await import("../connect/print-entries.js");
    await printEntries(cli, names, { scope, hooks });
    return EXIT_OK;
  }
  const { connectClis } = await import("../connect/connect-clis.js");
  return connectClis(cli, names, { dryRun: flags.dryRun === true, scope, hooks, yes: flags.yes === true });
}

async function undo(cli: CliContext, names: readonly string[], dryRun: boolean): Promise<number> {
  const { chooseClis } = await import("../connect/choose-clis.js");
  const { renderUndone, undoConnections } = await import("../connect/undo-connections.js");
  const wanted =
    names.length === 0 ? undefined : new Set(chooseClis(names, cli.io.env).map((one) => one.connection.cli));
  const undone = undoConnections(cli, wanted, dryRun);
  cli.output.result(
    { files: undone.map(({ error, ...one }) => ({ ...one, error: error?.message ?? null })) },
    () => {
      if (undone.length === 0) return "huddle connect has written nothing here, so there is nothing to undo.";
      const last = dryRun ? "Nothing was written." : "Restart them to let them forget Huddle.";
      return [...undone.map((one) => renderUndone(cli, one)), last].join("\n");
    },
  );
  return undone.some(({ state }) => state === "failed") ? EXIT_FAILED : EXIT_OK;
}
