import { sayDay } from "../parts/time.js";
import { deliveredAt } from "./bubble/delivered-at.js";
import { deliveryTo, type Mail, type Message } from "./bubble/mail.js";
import { kindOf, type MessageKind } from "./bubble/message-kind.js";
import { numberTurns, type TurnCount } from "./turn/number-turns.js";
import { describeEnd, type TurnEnd } from "./turn/turn-end.js";
import { nameTurn } from "./turn/turn-name.js";
import type { TurnShown } from "./turn/turn-shown.js";

/*
 * The reading column of one agent: what it was told, what it did, what it sent. Messages stand at the time when they were
 * delivered, or composed while they wait; a turn at its beginning, with the mail that was sent in it inside.
 */

/** What the person wrote and the history does not have yet. */
export type Unsent = {
  id: string;
  to: string;
  text: string;
  at: string;
  attention: string;
  /** `trying`: it leaves just now, and nobody answers; it may arrive all the same. */
  state: "waiting" | "trying" | "sending";
  error?: string;
};

/** `day`: it is the first of its day. */
export type ChatRow = ChatItem & { day?: string };

type ChatItem =
  | { kind: "message"; key: string; mail: Mail; as: Exclude<MessageKind, "sent"> }
  | { kind: "sent"; key: string; mail: Mail }
  | {
      kind: "turn";
      key: string;
      turn: TurnShown;
      number: number | undefined;
      sent: readonly Mail[];
      end: TurnEnd | undefined;
    }
  | { kind: "unsent"; key: string; unsent: Unsent };

export type ChatContents = {
  own: { id: string; name: string };
  mail: readonly Mail[];
  turns: readonly TurnShown[];
  /** More of them exist before the oldest one that is here. */
  older: { mail: boolean; turns: boolean };
  unsent: readonly Unsent[];
  /** How many turns there were up to one of them. */
  turnCount: TurnCount | undefined;
  now: number;
};

export function listRows({ own, mail, turns, older, unsent, turnCount, now }: ChatContents): ChatRow[] {
  const sorted = [...turns].sort((a, b) => Date.parse(a.started) - Date.parse(b.started));
  const numbers = numberTurns(sorted, turnCount);
  const placed = new Map<string, Mail[]>();
  const rest: { at: number; row: ChatRow }[] = [];
  for (const one of mail) {
    const { message } = one;
    const as = kindOf(message, own);
    const at = placeOf(one, own);
    if (as !== "sent") {
      rest.push({ at, row: { kind: "message", key: `m:${message.id}`, mail: one, as } });
      continue;
    }
    const turn = turnAt(sorted, at);
    if (turn === undefined) rest.push({ at, row: { kind: "sent", key: `m:${message.id}`, mail: one } });
    else placed.set(turn.turn, [...(placed.get(turn.turn) ?? []), one]);
  }
  const places = new Map(mail.map((one) => [one.message.id, placeOf(one, own)]));
  sorted.forEach((turn, index) => {
    const number = numbers[index];
    const sent = placed.get(turn.turn) ?? nothing;
    const next = sorted[index + 1];
    const end = describeEnd(turn, {
      interrupting: findInterrupting(mail, turn),
      next: next === undefined ? undefined : { turn: next, name: nameTurn(numbers[index + 1]) },
    });
    rest.push({
      at: turnPlace(turn, places),
      row: { kind: "turn", key: `t:${turn.turn}`, turn, number, sent, end },
    });
  });
  rest.sort((a, b) => a.at - b.at || rank(a.row) - rank(b.row));
  const begin = windowStart([...places.values()], sorted, older);
  const shown = rest.filter(({ at }) => at >= begin);
  return [
    ...withDays(shown, now),
    ...unsent.map((one): ChatRow => ({ kind: "unsent", key: `m:${one.id}`, unsent: one })),
  ];
}

const nothing: readonly Mail[] = [];

/** What cut the turn: the last that asked for it while the turn ran. */
function findInterrupting(mail: readonly Mail[], turn: TurnShown): Message | undefined {
  if (turn.stop !== "cancelled" || turn.ended === null) return undefined;
  const [from, to] = [Date.parse(turn.started), Date.parse(turn.ended)];
  return mail.findLast(({ message }) => {
    const at = Date.parse(message.timestamp);
    return message.attention === "interrupt" && at >= from && at <= to;
  })?.message;
}

/** What it sent stands where it was sent, whenever that was delivered. */
function placeOf(mail: Mail, own: ChatContents["own"]): number {
  const { timestamp } = mail.message;
  if (kindOf(mail.message, own) === "sent") return Date.parse(timestamp);
  return Date.parse(deliveredAt(deliveryTo(mail, own.name)) ?? timestamp);
}

/** After what it was told, however the clocks of both sides were read. */
function turnPlace(turn: TurnShown, places: ReadonlyMap<string, number>): number {
  const end = turn.ended === null ? Number.POSITIVE_INFINITY : Date.parse(turn.ended);
  const told = turn.messages.map((id) => places.get(id) ?? 0).filter((at) => at <= end);
  return Math.max(Date.parse(turn.started), ...told);
}

/** The turn that ran then; of two the later. */
function turnAt(sorted: readonly TurnShown[], at: number): TurnShown | undefined {
  return sorted.findLast(
    ({ started, ended }) => Date.parse(started) <= at && (ended === null || at <= Date.parse(ended)),
  );
}

/** At the same time, mail comes before the turn that it began. */
function rank(row: ChatRow): number {
  return row.kind === "turn" ? 1 : 0;
}

/** Messages and turns come in pages of their own: what is older than the page that reaches less far back is not shown yet. */
function windowStart(
  places: readonly number[],
  turns: readonly TurnShown[],
  older: ChatContents["older"],
): number {
  const firstMail = older.mail ? Math.min(...places) : Number.NEGATIVE_INFINITY;
  const firstTurn =
    older.turns && turns[0] !== undefined ? Date.parse(turns[0].started) : Number.NEGATIVE_INFINITY;
  const start = Math.max(firstMail, firstTurn);
  return Number.isFinite(start) ? start : Number.NEGATIVE_INFINITY;
}

function withDays(rows: readonly { at: number; row: ChatRow }[], now: number): ChatRow[] {
  let day = "";
  return rows.map(({ at, row }) => {
    const date = new Date(at).toDateString();
    if (date === day) return row;
    day = date;
    return { ...row, day: sayDay(at, now) };
  });
}
