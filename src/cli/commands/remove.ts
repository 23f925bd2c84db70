import type { AgentList, HubClient } from "../../client/hub-client.js";
import { HubError } from "../../model/errors.js";
import { listAllAgents } from "../agent-names.js";
import { isAway } from "../agent-state.js";
import { counted } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { EXIT_OK, exitCodeOf } from "../exit-codes.js";
import { findAgent } from "../find-agent.js";
import { renderError } from "../render-error.js";
import { usageError } from "../usage-error.js";

type Agent = Pick<AgentList["agents"][number], "name" | "state" | "unread"> & {
  runtime?: string | null | undefined;
};
type RemoveOptions = { dead?: true; team?: string };

export const define: DefineCommand = (command, act) => {
  command
    .argument("[agent...]", "their names")
    .option("--dead", "every agent that is dead or offline")
    .option("--team <team>", "with --dead: only those of this team")
    .addHelpText(
      "after",
      "\nIts name is free again and its token no longer works. Messages that it has not read fail, and their senders are told.",
    )
    .action((names: string[], options: RemoveOptions) => act((cli) => remove(cli, names, options)));
};

async function remove(cli: CliContext, names: readonly string[], options: RemoveOptions): Promise<number> {
  if (names.length === 0 && options.dead !== true)
    throw usageError("Name the agents to remove", "huddle remove ann, or: huddle remove --dead");
  if (names.length > 0 && options.dead === true) throw usageError("Give either names or --dead");
  if (options.team !== undefined && options.dead !== true) throw usageError("--team is for --dead");
  const client = await cli.client();
  return options.dead === true ? removeDead(cli, client, options.team) : removeNamed(cli, client, names);
}

async function removeDead(cli: CliContext, client: HubClient, team: string | undefined): Promise<number> {
  const dead = (await listAllAgents(client, team)).filter(isAway);
  for (const agent of dead) await take(cli, client, agent);
  cli.output.confirm({ removed: dead.map(({ name }) => name) }, () =>
    dead.length === 0
      ? "No agent is dead or offline."
      : `${cli.output.colors.green("✓")} Removed: ${dead.map(({ name }) => escapeLine(name)).join(", ")}`,
  );
  return EXIT_OK;
}

/** Each by itself: one that cannot be removed does not keep the others. */
async function removeNamed(cli: CliContext, client: HubClient, names: readonly string[]): Promise<number> {
  const { output, io } = cli;
  const removed: Agent[] = [];
  let code = EXIT_OK;
  for (const name of names) {
    try {
      const agent = await client.showAgent(await findAgent(client, name));
      await take(cli, client, agent);
      removed.push(agent);
    } catch (error) {
      if (!(error instanceof HubError) || names.length === 1) throw error;
      code = exitCodeOf(error.code);
      io.stderr.write(`${renderError(error, output.colors)}\n`);
    }
  }
  output.confirm({ removed: removed.map(({ name }) => name) }, () =>
    removed.map((agent) => `${output.colors.green("✓")} ${sayRemoved(agent)}`).join("\n"),
  );
  return code;
}

function sayRemoved({ name, unread = 0 }: Agent): string {
  const mail = unread === 0 ? "" : `; ${counted(unread, "unread message")} to it failed`;
  return `${escapeLine(name)} is off the list${mail}`;
}

const atRest: readonly string[] = ["dormant", "error", "offline", "dead"];

/** One that the hub runs is ended by that; one that is at work is not ended in passing. */
async function take(cli: CliContext, client: HubClient, { name, state, runtime }: Agent): Promise<void> {
  if (runtime === undefined || runtime === null) return client.deregister(name);
  if (!atRest.includes(state)) {
    throw new HubError("INVALID_INPUT", `${name} runs here (${state})`, {
      hint: `End it first: huddle stop ${name} lets it finish its turn, huddle kill ${name} does not`,
    });
  }
  await client.kill(name, { timeoutMs: cli.timeoutMs(20_000) });
}
