import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { messageText } from "../message-text.js";

type HandoffOptions = { task: string; file?: string[] };

export const define: DefineCommand = (command, act) => {
  command
    .argument("<from>", "the agent whose work it is")
    .argument("<to>", "the agent that takes it over")
    .argument("[summary]", "how far it is, and what is left; - or nothing reads it from stdin")
    .requiredOption("--task <task>", "what it is about, on one line")
    .option("--file <paths...>", "paths that the other one needs")
    .addHelpText(
      "after",
      "\nWhat it claimed passes to the other one; what it owes and its unread mail are told of.",
    )
    .action((from: string, to: string, summary: string | undefined, options: HandoffOptions) =>
      act((cli) => handOff(cli, { from, to, summary }, options)),
    );
};

type Between = { from: string; to: string; summary: string | undefined };

async function handOff(cli: CliContext, between: Between, { task, file }: HandoffOptions): Promise<void> {
  const { from, to } = between;
  const summary = await messageText(
    cli,
    between.summary === undefined ? [] : [between.summary],
    "huddle handoff FROM TO",
  );
  const client = await cli.client();
  const handed = await client.handOff(from, {
    to,
    task,
    summary,
    ...(file === undefined ? {} : { files: file }),
  });
  cli.output.result(handed, () => {
    const { work, requests, kept } = handed.passed;
    const passed = [...work, ...requests].map((one) => `  passed on: ${escapeLine(one)}`);
    const stays = kept.map((one) => `  stays with ${escapeLine(from)}: ${escapeLine(one)}`);
    const done = `${cli.output.colors.green("✓")} "${escapeLine(task)}" is handed over to ${escapeLine(handed.target)}`;
    return [done, ...passed, ...stays].join("\n");
  });
}
