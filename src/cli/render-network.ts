import type { ConversationList, HeldList, PairList } from "../client/hub-client.js";
import { findPingPong } from "../model/ping-pong.js";
import { relativeTime } from "./amounts.js";
import { escapeLine } from "./escape-text.js";
import type { Colors } from "./output.js";
import { shortId } from "./short-id.js";
import { type Cell, renderTable, shorten } from "./table.js";
import { wrapText } from "./wrap-text.js";

type Pair = PairList["pairs"][number];

export type Network = PairList & { held: HeldList; conversations: ConversationList["conversations"] };

type Look = { now: number; colors: Colors; width?: number | undefined };

const BARS = "▁▂▃▄▅▆▇█";
const WORDS_WIDTH = 60;
/** On a narrower terminal the minutes and the cap are left out: the rest could not be read. */
const WIDE = 90;
const leftOut: ReadonlySet<number> = new Set([2, 4]);

/** Who writes to whom, what is held back, and how far conversations have come. */
export function renderNetwork(network: Network, look: Look): string {
  const { messages, most } = network.unattended;
  const said = `${messages} of ${most} messages between agents without you this hour`;
  const unattended = wrapText(said, look.width);
  return [
    renderPairs(network.pairs, look),
    unattended,
    ...(network.held.total === 0 ? [] : [renderHeld(network.held, look)]),
    ...(network.conversations.length === 0 ? [] : [renderConversations(network.conversations, look)]),
  ].join("\n\n");
}

/** A line for each direction: the minutes as bars, what is held back in amber. */
function renderPairs(pairs: readonly Pair[], { now, colors, width }: Look): string {
  if (pairs.length === 0)
    return wrapText("Nobody wrote to anybody in the last ten minutes, and nothing is held back.", width);
  const most = Math.max(1, ...pairs.flatMap(({ minutes }) => minutes));
  const amber = (text: string): Cell => ({ text, paint: colors.yellow });
  const rows = pairs.map((pair): Cell[] => [
    escapeLine(pair.from),
    escapeLine(pair.to),
    pair.minutes.map((count) => barOf(count, most)).join(""),
    `${pair.per_minute}/min`,
    pair.cap === null ? "–" : `${pair.sent_last_minute}/${pair.cap}`,
    pair.level === 0 ? "–" : amber(describeCooldown(pair)),
    pair.held === 0 ? "–" : amber(pair.held_for.map((one) => `${one.messages} ${one.reason}`).join(", ")),
    pair.last === null ? "–" : relativeTime(Date.parse(pair.last), now),
    pair.paused ? amber("paused") : isPingPong(pair, pairs) ? "back and forth" : "",
  ]);
  const header = ["FROM", "TO", "10 MINUTES", "RATE", "CAP", "COOLDOWN", "HELD", "LAST", ""];
  const shown = (row: readonly Cell[]) =>
    width === undefined || width >= WIDE ? row : row.filter((_, column) => !leftOut.has(column));
  return renderTable(shown(header), rows.map(shown), width);
}

function renderHeld({ held, total }: HeldList, { now, colors, width }: Look): string {
  const rows = held.map(({ from, to, reason, until, behind, text }): Cell[] => [
    escapeLine(from),
    escapeLine(to),
    { text: behind === true ? `${reason}, behind another` : reason, paint: colors.yellow },
    until === null ? untilOf[reason] : `in ${Math.max(0, Math.ceil((Date.parse(until) - now) / 1000))}s`,
    shorten(escapeLine(text), WORDS_WIDTH),
  ]);
  const more = total > held.length ? `\n${total - held.length} more` : "";
  const table = renderTable(["FROM", "TO", "WHY", "UNTIL", "MESSAGE"], rows, width);
  return `Held back now: ${total}\n${table}${more}`;
}

const untilOf = {
  cooldown: "–",
  budget: "you let it go on",
  backstop: "you write to an agent",
  paused: "you resume it",
  away: "its reader is back",
} as const;

function renderConversations(conversations: Network["conversations"], { colors, width }: Look): string {
  const rows = conversations.map((one): Cell[] => [
    shortId(one.id),
    one.state === "open" ? "open" : { text: one.state, paint: colors.yellow },
    `${one.hops}/${one.hops_most}`,
    `${one.messages}/${one.messages_most}`,
    one.held === 0 ? "–" : { text: String(one.held), paint: colors.yellow },
    escapeLine(one.participants.join(", ")),
  ]);
  return renderTable(["CONVERSATION", "STATE", "HOPS", "MESSAGES", "HELD", "WHO"], rows, width);
}

function describeCooldown({ level, next_ms }: Pair): string {
  return next_ms === 0 ? `level ${level}` : `level ${level}, ${Math.ceil(next_ms / 1000)}s`;
}

export function barOf(count: number, most: number): string {
  if (count === 0) return "·";
  return BARS[Math.min(BARS.length - 1, Math.floor(((count - 1) / most) * BARS.length))] ?? "█";
}

/** Two agents that answer each other, minute after minute: that may be a loop. */
function isPingPong(pair: Pair, pairs: readonly Pair[]): boolean {
  const back = pairs.find(({ from, to }) => from === pair.to && to === pair.from);
  const isPersons = pair.from === "user" || pair.to === "user";
  return !isPersons && back !== undefined && findPingPong(pair, back) !== undefined;
}
