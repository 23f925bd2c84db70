import type { AgentList } from "../../client/hub-client.js";
import { listEverybody } from "../agent-names.js";
import { isLongGone } from "../agent-state.js";
import { renderAgents, renderPeers } from "../agent-table.js";
import type { CliContext, DefineCommand } from "../context.js";
import { deskFooter } from "../desk/desk-line.js";
import { escapeLine } from "../escape-text.js";
import { usageError } from "../usage-error.js";
import { watchScreen } from "../watch-screen.js";

type AgentsOptions = {
  team?: string;
  all?: true;
  watch?: true;
  everywhere?: true;
  limit?: string;
  cursor?: string;
};
type Agents = AgentList["agents"];
type Found = { agents: Agents; peers?: NonNullable<AgentList["peers"]> };

export const define: DefineCommand = (command, act) => {
  command
    .option("--team <team>", "only those of this team")
    .option("--all", "also those that have been gone for more than ten minutes")
    .option("-w, --watch", "show it anew every second, until Ctrl-C")
    .option(
      "-e, --everywhere",
      "ask every hub that can be reached, also those of the fabric that are no peers",
    )
    .option("--limit <number>", "with --everywhere: at most this many (default 50)")
    .option("--cursor <place>", "with --everywhere: go on where an earlier list ended")
    .addHelpText("after", "\nFOR is how long an agent has been in its state, UNREAD what waits for it.")
    .action((options: AgentsOptions) => act((cli) => agents(cli, options)));
};

async function agents(cli: CliContext, options: AgentsOptions): Promise<number> {
  checkTogether(options);
  if (options.everywhere === true) return (await import("../everywhere.js")).listEverywhere(cli, options);
  const client = await cli.client();
  const look = async (): Promise<Found> => {
    const { agents, peers } = await listEverybody(client, options.team);
    return { agents, ...(peers.length === 0 ? {} : { peers }) };
  };
  const footer = await deskFooter(cli, "agents/NAME");
  const render = ({ agents, peers }: Found, width: number | undefined) => {
    const own = renderList(cli, agents, options, width);
    const elsewhere = peers === undefined ? "" : `\n\n${renderPeers(peers, cli.output.colors, width)}`;
    return own + elsewhere + (agents.length === 0 ? "" : footer);
  };
  if (options.watch === true) return watchScreen(cli, look, render);
  const found = await look();
  cli.output.result(found, () => render(found, cli.output.width));
  return 0;
}

function checkTogether({ everywhere, team, all, watch, limit, cursor }: AgentsOptions): void {
  const isOwn = team !== undefined || all === true || watch === true;
  if (everywhere === true && isOwn)
    throw usageError(
      "--everywhere lists all agents of all hubs: leave --team, --all and --watch out",
      "huddle agents --everywhere",
    );
  if (everywhere !== true && (limit !== undefined || cursor !== undefined))
    throw usageError("--limit and --cursor go with --everywhere", "huddle agents --everywhere --limit 200");
}

function renderList(
  { io, output }: CliContext,
  all: Agents,
  { team, all: isAll }: AgentsOptions,
  width: number | undefined,
): string {
  if (all.length === 0) return team === undefined ? NONE_YET : `No agent is in team "${escapeLine(team)}".`;
  const now = io.now();
  const shown = isAll === true ? all : all.filter((agent) => !isLongGone(agent, now));
  const gone = all.length - shown.length;
  const table =
    shown.length === 0
      ? "Nobody is here now."
      : renderAgents(shown, { now, colors: output.colors, width, home: io.home });
  if (gone === 0) return table;
  const more =
    shown.length === 0 ? `${gone} ${gone === 1 ? "is" : "are"}` : `${gone} more ${gone === 1 ? "is" : "are"}`;
  return `${table}\n${output.colors.dim(`${more} gone: huddle agents --all`)}`;
}

const NONE_YET = [
  "No agents yet.",
  "  Start one:             huddle spawn claude",
  "  Connect those you run: huddle connect",
].join("\n");
