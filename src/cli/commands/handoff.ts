import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { findAgent } from "../find-agent.js";
import { messageText } from "../message-text.js";
import { usageError } from "../usage-error.js";

type HandoffOptions = { task?: string; file?: string[]; forward?: boolean };

export const define: DefineCommand = (command, act) => {
  command
    .argument("<from>", "the agent whose work it is")
    .argument("[to]", "the agent that takes it over, here or on a linked hub: bob@mini")
    .argument("[summary]", "how far it is, and what is left; - or nothing reads it from stdin")
    .option("--task <task>", "what it is about, on one line")
    .option("--file <paths...>", "paths that the other one needs")
    .option("--forward", "send the mail of agents to it there too, until --no-forward")
    .option("--no-forward", "without a second agent: its mail is its own again")
    .addHelpText(
      "after",
      "\nWhat it claimed passes to the other one; what it owes and its unread mail are told of.",
    )
    .action((from: string, to: string | undefined, summary: string | undefined, options: HandoffOptions) =>
      act((cli) => {
        if (to === undefined && options.forward === false) return endForward(cli, from);
        if (to === undefined) throw usageError("say who takes it over: huddle handoff FROM TO --task TASK");
        if (options.task === undefined) throw usageError("say what it is about: --task 'the login'");
        return handOff(cli, { from, to, summary }, { ...options, task: options.task });
      }),
    );
};

type Between = { from: string; to: string; summary: string | undefined };

async function endForward(cli: CliContext, name: string): Promise<void> {
  const client = await cli.client();
  const updated = await client.updateAgent(await findAgent(client, name), { forward: false });
  cli.output.confirm(
    updated,
    () => `${cli.output.colors.green("✓")} ${escapeLine(updated.new_name)} gets its own mail again`,
  );
}

async function handOff(
  cli: CliContext,
  between: Between,
  { task, file, forward }: HandoffOptions & { task: string },
): Promise<void> {
  const summary = await messageText(
    cli,
    between.summary === undefined ? [] : [between.summary],
    "huddle handoff FROM TO",
  );
  const client = await cli.client();
  const [from, to] = [await findAgent(client, between.from), await findAgent(client, between.to)];
  const handed = await client.handOff(from, {
    to,
    task,
    summary,
    ...(file === undefined ? {} : { files: file }),
    ...(forward === true ? { forward } : {}),
  });
  cli.output.result(handed, () => {
    const { work, requests, kept } = handed.passed;
    const passed = [...work, ...requests].map((one) => `  passed on: ${escapeLine(one)}`);
    const stays = kept.map((one) => `  stays with ${escapeLine(from)}: ${escapeLine(one)}`);
    const done = `${cli.output.colors.green("✓")} "${escapeLine(task)}" is handed over to ${escapeLine(handed.target)}`;
    return [done, ...passed, ...stays].join("\n");
  });
}
