import { InvalidArgumentError } from "commander";
import type { HubClient, InboxPage } from "../../client/hub-client.js";
import type { TurnView } from "../../contract/http/turns.js";
import { HubError } from "../../model/errors.js";
import { clockTime, formatSpan, relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeBlock, escapeLine } from "../escape-text.js";
import { findAgent } from "../find-agent.js";
import { shorten } from "../table.js";
import { indentText } from "../wrap-text.js";

type TranscriptOptions = { turns: number; thoughts?: true };
type Told = Pick<InboxPage["messages"][number], "id" | "from" | "content">;

const MOST_TURNS = 100;

export const define: DefineCommand = (command, act) => {
  command
    .argument("<agent>", "the agent's name")
    .option("--turns <number>", "its newest turns, at most 100", parseTurns, 5)
    .option("--thoughts", "also what it thought")
    .addHelpText(
      "after",
      "\nOf an agent that you started yourself only its mail is known: what it was told, and what it wrote.",
    )
    .action((agent: string, options: TranscriptOptions) => act((cli) => transcript(cli, agent, options)));
};

async function transcript(cli: CliContext, given: string, options: TranscriptOptions): Promise<void> {
  const client = await cli.client();
  const agent = await findAgent(client, given);
  const { turns } = await client.turns(agent, { limit: options.turns });
  if (turns.length === 0) return showMail(cli, client, agent, options.turns);
  const oldestFirst = [...turns].reverse();
  const told = await readTold(client, oldestFirst);
  cli.output.result({ turns: oldestFirst, messages: [...told.values()] }, () =>
    oldestFirst.map((turn) => renderTurn(turn, told, options, cli)).join("\n\n"),
  );
}

/** What is pruned has only its id. */
async function readTold(client: HubClient, turns: readonly TurnView[]): Promise<Map<string, Told>> {
  const told = new Map<string, Told>();
  for (const id of new Set(turns.flatMap(({ messages }) => messages))) {
    try {
      told.set(id, (await client.messageStatus(id)).message);
    } catch (error) {
      if (!(error instanceof HubError) || error.code !== "MESSAGE_NOT_FOUND") throw error;
    }
  }
  return told;
}

function renderTurn(
  turn: TurnView,
  told: ReadonlyMap<string, Told>,
  { thoughts }: TranscriptOptions,
  { io, output: { colors, width } }: CliContext,
): string {
  const began = Date.parse(turn.started);
  const took = turn.ended === null ? "still at it" : formatSpan(Date.parse(turn.ended) - began);
  const stop = turn.stop === null || turn.stop === "end_turn" ? "" : `, ${turn.stop}`;
  const head = `── ${clockTime(began)}, ${relativeTime(began, io.now())} (${took}${stop})`;
  const fit = (text: string, used: number) => (width === undefined ? text : shorten(text, width - used));
  const block = (text: string) => indentText(escapeBlock(text.trim()), width);
  const mail = turn.messages.map((id) => {
    const message = told.get(id);
    if (message === undefined) return colors.dim(`  a message that is not kept any more (${escapeLine(id)})`);
    return `${colors.bold(fit(escapeLine(message.from), 1))}:\n${block(message.content)}`;
  });
  const marks = { done: colors.green("✓"), failed: colors.red("✗"), running: "▸", pending: "▸" } as const;
  const tools = turn.tools.map(({ title, status, ms }) => {
    const time = ms === null ? "" : ` (${ms} ms)`;
    const what = fit(escapeLine(title.replace(/\s+/g, " ")), time.length + 4);
    return `  ${marks[status]} ${what}${colors.dim(time)}`;
  });
  return [
    colors.dim(head),
    ...mail,
    ...(thoughts === true && turn.thoughts.trim() !== ""
      ? block(turn.thoughts).split("\n").map(colors.dim)
      : []),
    ...tools,
    ...(turn.text.trim() === "" ? [] : [`${colors.bold("it said")}:\n${block(turn.text)}`]),
    ...(turn.error === undefined ? [] : [`${colors.red("✗")} ${escapeLine(turn.error)}`]),
  ].join("\n");
}

/** Of an agent whose turns are not known. */
async function showMail(cli: CliContext, client: HubClient, agent: string, turns: number): Promise<void> {
  const { messages } = await client.history(agent, { limit: turns * 2 });
  const oldestFirst = [...messages].reverse();
  cli.output.result({ turns: [], messages: oldestFirst }, () => {
    if (oldestFirst.length === 0) return `${escapeLine(agent)} has had no turn and no mail yet.`;
    const { colors, width } = cli.output;
    return oldestFirst
      .map(({ from, to, timestamp, content }) => {
        const when = relativeTime(Date.parse(timestamp), cli.io.now());
        const names = `${escapeLine(from)} → ${escapeLine(to)}`;
        const head = width === undefined ? names : shorten(names, width - when.length - 2);
        return `${colors.bold(head)}  ${colors.dim(when)}\n${indentText(escapeBlock(content), width)}`;
      })
      .join("\n\n");
  });
}

function parseTurns(text: string): number {
  const turns = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (turns > 0 && turns <= MOST_TURNS) return turns;
  throw new InvalidArgumentError(`Give a number from 1 to ${MOST_TURNS}.`);
}
