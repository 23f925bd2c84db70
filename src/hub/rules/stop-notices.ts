import type { Alarm } from "../../views/alarms.js";
import type { TightViews } from "../../views/tight.js";

/** What is said of a stop is taken back when it is over; where the hub ended otherwise, by its next start. */
export const STOP_NOTICE_MS = 60_000;
const LOOKED_AT = 10_000;

/** The ends of what the hub said of a stop, that are still to come. */
export function stopNotices({ alarms, messages }: TightViews, now: number): Alarm[] {
  return alarms
    .due(now + STOP_NOTICE_MS, LOOKED_AT)
    .filter(
      ({ kind, ref }) =>
        kind === "expire_message" && messages.bySeq(Number(ref))?.data.message.notice === "stop",
    );
}
