import { Argument } from "commander";
import { completionScripts } from "../completion-scripts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";

type Asked = keyof typeof completionScripts | "complete";

export const define: DefineCommand = (command, act) => {
  command
    .addArgument(
      new Argument("<shell>", "which shell").choices([...Object.keys(completionScripts), "complete"]),
    )
    .argument("[words...]", "for complete, which the scripts call: the words so far, the last one unfinished")
    .addHelpText(
      "after",
      "\nCommands, options and the names of your agents complete. The script says in its first lines where it goes.",
    )
    .action((shell: Asked, words: string[]) => act((cli) => completion(cli, shell, words)));
};

async function completion(cli: CliContext, shell: Asked, words: readonly string[]): Promise<void> {
  if (shell !== "complete") {
    cli.io.stdout.write(completionScripts[shell]);
    return;
  }
  const { completeWords } = await import("../complete-words.js");
  const found = await completeWords(cli, words);
  // Where there is nothing the shell is to try files: not even an empty line.
  if (found.length === 0) return;
  cli.output.result({ candidates: found }, () =>
    found.map(({ word, says }) => `${escapeLine(word)}\t${escapeLine(says)}`).join("\n"),
  );
}
