import type { CliContext, DefineCommand } from "../context.js";
import { usageError } from "../usage-error.js";

export const define: DefineCommand = (command, act) => {
  command
    .addHelpText(
      "after",
      "\nIt shows the agents, how fast they write, what waits for each, what needs you, and the live output of one." +
        "\nOn a permission: o once, s session, a always, d deny. ? shows all keys, q quits.",
    )
    .action(() => act(top));
};

async function top(cli: CliContext): Promise<number> {
  const { stdin, stdout, env } = cli.io;
  if (cli.output.json)
    throw usageError(
      "huddle top is for people and has no --json",
      "For programs: huddle agents --json, huddle inbox --json",
    );
  if (stdin.isTTY !== true || stdout.isTTY !== true || env["TERM"] === "dumb")
    throw usageError(
      "huddle top needs a terminal for its screen and its keys",
      "Use huddle agents -w, or for programs: huddle agents --json",
    );
  const { runTop } = await import("../top/run-top.js");
  return runTop(cli);
}
