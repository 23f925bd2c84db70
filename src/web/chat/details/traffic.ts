import type { Mail } from "../bubble/mail.js";
import { isFrom } from "../bubble/message-kind.js";

export type TrafficRow = { peer: string; direction: "to" | "from"; count: number };

const MINUTE = 60_000;
/** Whoever was written to or heard from so lately is listed, with what there was in the last minute. */
const LATELY = 10 * MINUTE;

/** With whom an agent exchanged mail, and how much of it in the last minute; most first. */
export function countTraffic(
  mail: readonly Mail[],
  own: { id: string; name: string },
  now: number,
): TrafficRow[] {
  const rows = new Map<string, TrafficRow>();
  for (const { message } of mail) {
    const age = now - Date.parse(message.timestamp);
    if (age > LATELY || message.notice !== undefined || message.source !== "agent") continue;
    const direction = isFrom(message, own) ? "to" : "from";
    const peer = direction === "to" ? message.to : message.from;
    const key = `${direction} ${peer}`;
    const row = rows.get(key) ?? { peer, direction, count: 0 };
    rows.set(key, { ...row, count: row.count + (age <= MINUTE ? 1 : 0) });
  }
  return [...rows.values()].sort((a, b) => b.count - a.count).slice(0, 8);
}
