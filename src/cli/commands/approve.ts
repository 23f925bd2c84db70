import { Argument } from "commander";
import type { HubClient } from "../../client/hub-client.js";
import type { PermissionDecision } from "../../model/permission.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { usageError } from "../usage-error.js";

type ApproveOptions = { session?: true; always?: true };
type Granted = Exclude<PermissionDecision, "deny">;
const granted: readonly Granted[] = ["once", "session", "always"];

export const define: DefineCommand = (command, act) => {
  command
    .argument("<id>", "what huddle inbox shows, a part of it, or the agent that asks one thing")
    .addArgument(new Argument("[how]", "for how long; default: once").choices(granted))
    .option("--session", "for as long as the agent's session lasts")
    .option("--always", "for good, where the agent offers that")
    .action((id: string, how: Granted | undefined, { session, always }: ApproveOptions) => {
      const asked = always === true ? "always" : session === true ? "session" : "once";
      return act((cli) => answerPermission(cli, id, how ?? asked));
    });
};

/** Approves or denies a permission request. */
export async function answerPermission(
  cli: CliContext,
  given: string,
  decision: PermissionDecision,
): Promise<void> {
  const client = await cli.client();
  const answered = await client.answerPermission(await fullId(client, given), decision);
  cli.output.confirm(answered, () => {
    if (answered.check !== undefined) return sayOfCheck(answered.check, answered, cli);
    const what = answered.outcome === "deny" ? "may not" : `may (${answered.outcome})`;
    return `${cli.output.colors.green("✓")} ${escapeLine(answered.agent)} ${what}`;
  });
}

type Answered = Awaited<ReturnType<HubClient["answerPermission"]>>;

function sayOfCheck(
  { name, argv, project }: NonNullable<Answered["check"]>,
  { agent, outcome }: Answered,
  { output: { colors } }: CliContext,
): string {
  const task = `The check ${escapeLine(name)} of ${escapeLine(agent)}'s task`;
  if (outcome === "deny") return `${colors.green("✓")} ${task} does not run, and the task fails`;
  const when = outcome === "once" ? "now" : `now, and from now on in ${escapeLine(project)}`;
  return `${colors.green("✓")} ${task} runs ${when}: ${escapeLine(argv.join(" "))}`;
}

/** A beginning or an end of an id will do, or the agent's name, where only one is meant. */
async function fullId(client: HubClient, given: string): Promise<string> {
  const { permissions } = await client.permissions();
  const asked = permissions.filter(({ agent }) => agent === given);
  if (asked.length > 1)
    throw usageError(`${given} asks ${asked.length} things`, "Give the id of one: huddle inbox shows them");
  if (asked[0] !== undefined) return asked[0].id;
  const meant = permissions.filter(({ id }) => id === given || id.startsWith(given) || id.endsWith(given));
  if (meant.length > 1)
    throw usageError(`"${given}" is the id of ${meant.length} questions`, "Give more of it");
  return meant[0]?.id ?? given;
}
