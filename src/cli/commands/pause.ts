import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { findAgent } from "../find-agent.js";
import { usageError } from "../usage-error.js";

type Options = { all?: true; now?: true };

export const define: DefineCommand = (command, act) => {
  command
    .argument("[agent]", "the agent's name")
    .option("--all", "all agents, and whoever comes later")
    .option("--now", "cut the turn that it is in; it goes on with it later")
    .addHelpText("after", "\nNothing is lost: mail waits, and comes in its order after huddle resume.")
    .action((agent: string | undefined, options: Options) => act((cli) => pause(cli, agent, options)));
};

async function pause(cli: CliContext, given: string | undefined, { all, now }: Options): Promise<void> {
  const client = await cli.client();
  const agent = given === undefined ? undefined : await findAgent(client, given);
  const how = now === true ? { now } : {};
  const changed =
    checkWhom(agent, all, "pause") === "all"
      ? await client.pauseAll(how)
      : await client.pause(agent ?? "", how);
  cli.output.confirm(changed, () => {
    const who = agent === undefined ? "All agents are" : `${escapeLine(agent)} is`;
    const turn = now === true ? "" : "; a turn that runs is let end";
    return `${cli.output.colors.green("✓")} ${who} paused${turn}. Go on: huddle resume ${agent === undefined ? "--all" : escapeLine(agent)}`;
  });
}

/** One agent or all: never all because a name was forgotten. */
export function checkWhom(
  agent: string | undefined,
  all: true | undefined,
  verb: "pause" | "resume",
): "one" | "all" {
  if ((agent === undefined) === (all === undefined))
    throw usageError(`Say which agent to ${verb}, or --all`, `huddle ${verb} AGENT|--all`);
  return all === true ? "all" : "one";
}
