import type { ExecuteCommand } from "../hub/deciders.js";
import type { HubEvent } from "../model/events.js";
import type { Alarms } from "../views/alarms.js";

/** No timer sleeps longer: setTimeout cannot, and a sleep of the computer is noticed sooner. */
const LONGEST_MS = 60_000;
const AT_ONCE = 256;
const RETRY_MS = 1000;

type TickerPorts = {
  alarms: Alarms;
  /** Hub time. */
  now: () => number;
  execute: ExecuteCommand;
  onCommitted: (listener: (events: readonly HubEvent[]) => void) => () => void;
  onError: (error: unknown) => void;
};

/** One timer for all that is due later: it wakes for the next alarm and submits a command that decides again. */
export function startTicker({ alarms, now, execute, onCommitted, onError }: TickerPorts): () => void {
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;
  let ringing = false;
  let stopped = false;

  function arm() {
    if (ringing || stopped) return;
    const next = alarms.next();
    if (next === undefined || next.due >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = next.due;
    timer = setTimeout(ring, Math.min(Math.max(next.due - now(), 0), LONGEST_MS));
    timer.unref();
  }

  function ring() {
    ringing = true;
    wakesAt = Number.POSITIVE_INFINITY;
    const due = alarms.due(now(), AT_ONCE);
    Promise.all(due.map((alarm) => execute("fireAlarm", alarm))).then(again, (error: unknown) => {
      onError(error);
      timer = setTimeout(again, RETRY_MS); // A full disk, say: the alarm stays due.
    });
  }

  function again() {
    ringing = false;
    arm();
  }

  const unlisten = onCommitted(arm);
  arm();
  return () => {
    stopped = true;
    clearTimeout(timer);
    unlisten();
  };
}
