import type { SearchPage } from "../../client/hub-client.js";
import { type HistoryMessage, moveDeliveries, type StepsBySeq } from "../hub/history.js";

/** A row of the log: a message with how far it has come, or a turn of an agent. */
export type LogRow =
  | { kind: "message"; seq: number; message: HistoryMessage }
  | { kind: "turn"; seq: number; turn: TurnHit };

export type TurnHit = NonNullable<SearchPage["turns"]>[number];

/** Newest first. */
export function rowsOf({ messages, turns = [] }: SearchPage): LogRow[] {
  return [
    ...messages.map(({ deliveries = [], recipients = deliveries.length, ...message }): LogRow => {
      const { seq } = message;
      return { kind: "message", seq, message: { ...message, deliveries, recipients } };
    }),
    ...turns.map((turn): LogRow => ({ kind: "turn", seq: turn.seq ?? 0, turn })),
  ].sort((a, b) => b.seq - a.seq);
}

/** The rows with the steps that deliveries took; the same list if none did. */
export function advanceRows(rows: readonly LogRow[], steps: StepsBySeq): readonly LogRow[] {
  if (!rows.some(({ seq }) => steps.has(seq))) return rows;
  return rows.map((row) =>
    row.kind === "message" && steps.has(row.seq)
      ? { ...row, message: moveDeliveries(row.message, steps.get(row.seq)) }
      : row,
  );
}
