import type { ObligationList } from "../../client/hub-client.js";
import { moment, relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { findAgent } from "../find-agent.js";
import { renderTable, shorten } from "../table.js";

type Owed = ObligationList["obligations"][number];

const WORDS_WIDTH = 60;
const NONE = "—";

export const define: DefineCommand = (command, act) => {
  command
    .argument("[agent]", "only what this agent owes")
    .addHelpText(
      "after",
      "\nTasks, claimed requests, unanswered questions of the last day, and claimed work, of each agent.",
    )
    .action((agent: string | undefined) => act((cli) => list(cli, agent)));
};

async function list(cli: CliContext, given: string | undefined): Promise<void> {
  const client = await cli.client();
  const agent = given === undefined ? undefined : await findAgent(client, given);
  const found = await client.obligations(agent === undefined ? {} : { agent });
  cli.output.result(found, () => {
    if (found.obligations.length === 0)
      return agent === undefined ? "Nobody owes anything." : `${agent} owes nothing.`;
    return groups(found.obligations)
      .map(([name, owed]) => render(name, owed, cli))
      .join("\n\n");
  });
}

function groups(owed: readonly Owed[]): [string, Owed[]][] {
  const byAgent = new Map<string, Owed[]>();
  for (const one of owed) byAgent.set(one.agent, [...(byAgent.get(one.agent) ?? []), one]);
  return [...byAgent].sort(([one], [other]) => one.localeCompare(other));
}

function render(name: string, owed: readonly Owed[], { output: { colors, width }, io }: CliContext): string {
  const header = ["", "TO", "SINCE", "DUE", "WHAT"].map((text) => ({ text, paint: colors.dim }));
  const rows = owed.map(({ kind, to, since, due, ref, text }) => [
    kind,
    to === null ? NONE : escapeLine(to),
    relativeTime(Date.parse(since), io.now()),
    due === null ? NONE : moment(Date.parse(due), io.now()),
    shorten(escapeLine(text ?? ref), WORDS_WIDTH),
  ]);
  const who = shorten(escapeLine(name), (width ?? Number.POSITIVE_INFINITY) - " owes".length);
  return `${colors.bold(who)} owes\n${renderTable(header, rows, width)}`;
}
