import type { ConversationList, HubClient } from "../../client/hub-client.js";
import { relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { matchId, shortId } from "../short-id.js";
import { renderTable } from "../table.js";
import { usageError } from "../usage-error.js";

type Conversation = ConversationList["conversations"][number];

const HEADER = ["ID", "WHO", "MESSAGES", "HELD", "LAST"];

export const define: DefineCommand = (command, act) => {
  command
    .argument("[decision]", "continue or freeze")
    .argument("[id]", "the conversation, by the end of its id; not needed while only one waits")
    .addHelpText("after", "\nWithout arguments it lists the conversations that wait for you.")
    .action((decision: string | undefined, id: string | undefined) =>
      act((cli) => (decision === undefined ? list(cli) : decide(cli, decision, id))),
    );
};

async function list(cli: CliContext): Promise<void> {
  const client = await cli.client();
  const { conversations } = await client.conversations();
  cli.output.result({ conversations }, () => {
    if (conversations.length === 0) return "No conversation waits for you.";
    const { colors, width } = cli.output;
    return renderTable(
      HEADER.map((text) => ({ text, paint: colors.dim })),
      conversations.map((one) => [
        { text: shortId(one.id), paint: colors.bold },
        escapeLine(one.participants.join(", ")),
        String(one.messages),
        String(one.held),
        lastWords(one, cli.io.now()),
      ]),
      width,
    );
  });
}

function lastWords({ last }: Conversation, now: number): string {
  if (last === null) return "–";
  const text = escapeLine(last.text.replace(/\s+/g, " ").trim());
  return `${relativeTime(Date.parse(last.at), now)}, ${escapeLine(last.from)}: ${text}`;
}

async function decide(cli: CliContext, decision: string, given: string | undefined): Promise<void> {
  if (decision !== "continue" && decision !== "freeze")
    throw usageError("Say what to do with which conversation", "huddle conversations continue|freeze ID");
  const client = await cli.client();
  const decided = await client.decideConversation(await meant(client, given, decision), decision);
  cli.output.confirm(decided, () => {
    const what = decision === "continue" ? "goes on" : "is ended";
    const held = decided.messages === 1 ? "1 held message" : `${decided.messages} held messages`;
    const mail = decision === "continue" ? "can be read now" : "failed, which the sender is told";
    return `${cli.output.colors.green("✓")} The conversation ${what}; ${held} ${mail}`;
  });
}

/** The only one that waits need not be named. */
async function meant(client: HubClient, given: string | undefined, decision: string): Promise<string> {
  const { conversations } = await client.conversations();
  const [only, ...others] = conversations;
  if (given !== undefined)
    return matchId(
      given,
      conversations.map(({ id }) => id),
      "conversations",
    );
  if (only !== undefined && others.length === 0) return only.id;
  throw usageError(
    only === undefined
      ? "No conversation waits for you"
      : `${conversations.length} conversations wait for you`,
    only === undefined ? undefined : `Name one: huddle conversations ${decision} ${shortId(only.id)}`,
  );
}
