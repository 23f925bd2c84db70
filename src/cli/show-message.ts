import type { HubClient, MessageStatus } from "../client/hub-client.js";
import { HubError } from "../model/errors.js";
import { relativeTime } from "./amounts.js";
import type { CliContext } from "./context.js";
import { escapeBlock, escapeLine } from "./escape-text.js";
import { isIdPart, matchId, shortId } from "./short-id.js";
import { indentText } from "./wrap-text.js";

const PAGE = 200;
/** How far back the end of an id is looked for. */
const MOST_PAGES = 5;

/** The message that has this id, or of the newest thousand the one whose id ends so; undefined when it is none of them. */
export async function findAnyMessage(client: HubClient, given: string): Promise<MessageStatus | undefined> {
  const whole = await client.messageStatus(given).catch(ifNone);
  if (whole !== undefined || !isIdPart(given)) return whole;
  const ids: string[] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; pages < MOST_PAGES && cursor !== null; pages++) {
    const page = await client.search({ q: "", limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...page.messages.map(({ id }) => id));
    cursor = page.next;
  }
  const id = matchId(given, ids, "messages");
  return ids.includes(id) ? client.messageStatus(id) : undefined;
}

function ifNone(error: unknown): undefined {
  if (!(error instanceof HubError) || error.code !== "MESSAGE_NOT_FOUND") throw error;
}

/** All of it, and how far it has come with each of its recipients. */
export function renderStatus({ message, deliveries }: MessageStatus, { io, output }: CliContext): string {
  const { colors, width } = output;
  const when = relativeTime(Date.parse(message.timestamp), io.now());
  const answers = message.reply_to === undefined ? "" : `, answers ${shortId(message.reply_to)}`;
  const head = `${colors.bold(escapeLine(message.from))} → ${escapeLine(message.to)}  ${message.type}  ${colors.dim(`${shortId(message.id)}, ${when}${answers}`)}`;
  const ways = deliveries.map(({ to, state, at, evidence, reason }) => {
    const why = [evidence, reason].flatMap((one) => (one === null ? [] : [escapeLine(one)])).join(", ");
    const step = `${escapeLine(to)}: ${state} ${relativeTime(Date.parse(at), io.now())}`;
    return colors.dim(`  ${step}${why === "" ? "" : ` (${why})`}`);
  });
  return [head, indentText(escapeBlock(message.content), width), ...ways].join("\n");
}
