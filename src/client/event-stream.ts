import { setTimeout as sleep } from "node:timers/promises";
import { HubError } from "../model/errors.js";
import { type EventFrame, readEventSocket } from "./event-socket.js";

/*
 * A stream is connecting, then live once the hub said `ready`; when the connection goes it is reconnecting, and live
 * again after the next `ready`. It ends by the signal, or by an error that waiting does not fix. A hub that does not
 * answer at the very first attempt is such an error; later it is a hub that restarts.
 */
export type StreamState = { kind: "live" } | { kind: "reconnecting"; because: HubError; inMs: number };

export type FollowOptions = {
  /** Asked before every attempt: a restarted hub may be somewhere else. */
  locate: () => { url: string; token?: string | undefined };
  after?: number | undefined;
  since?: string | undefined;
  onState?: (state: StreamState) => void;
  silenceMs?: number;
  backoff?: { firstMs: number; maxMs: number };
  signal: AbortSignal;
};

const SILENCE_MS = 3 * 15_000;
const BACKOFF = { firstMs: 200, maxMs: 5_000 };

/** Every event after the given place, without a gap and without a repeat, across restarts of the hub. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<EventFrame, void, undefined> {
  const { locate, onState, silenceMs = SILENCE_MS, backoff = BACKOFF, signal } = options;
  let after = options.after;
  let everLive = false;
  let delayMs = backoff.firstMs;
  while (!signal.aborted) {
    try {
      const from =
        after !== undefined ? { after } : options.since === undefined ? {} : { since: options.since };
      for await (const frame of readEventSocket({ ...locate(), from, silenceMs, signal })) {
        if (frame.type === "ready" && !("at" in frame)) {
          everLive = true;
          delayMs = backoff.firstMs;
          onState?.({ kind: "live" });
          // Without a place of our own we started at the newest: that is where to resume.
          if (after === undefined && options.since === undefined) after = frame.seq;
        } else if ("at" in frame && frame.seq > (after ?? 0)) {
          after = frame.seq;
          yield frame;
        }
      }
    } catch (error) {
      if (!(error instanceof HubError) || !everLive || !passes(error)) throw error;
      // Spread out, so that the readers of a restarted hub do not all come back in one moment.
      const inMs = Math.round(delayMs * (0.75 + Math.random() / 2));
      onState?.({ kind: "reconnecting", because: error, inMs });
      await sleep(inMs, undefined, { signal }).catch(() => {});
      delayMs = Math.min(delayMs * 2, backoff.maxMs);
    }
  }
}

function passes(error: HubError): boolean {
  switch (error.code) {
    case "HUB_UNREACHABLE":
    case "SHUTTING_DOWN":
    case "TOO_MANY_READERS":
      return true;
    default:
      return false;
  }
}
