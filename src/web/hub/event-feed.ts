import { z } from "zod";
import { routePath } from "../../client/call-route.js";
import type { EventFrame } from "../../client/event-stream.js";
import type { OpenSocket } from "../../client/frame-socket.js";
import { readFrames } from "../../client/read-frames.js";
import { controlFrame, eventFrame, hubRoutes } from "../../contract/http/hub.js";
import { HubError } from "../../model/errors.js";
import { onTryNow, setConnection, useConnection } from "./connection.js";

/*
 * Follows the journal from a place on, over restarts of the hub, without a gap and without a repeat. It never gives up but for
 * a token that the hub takes no more. Where events are gone that it has not seen, or where the journal is another one, what the
 * page knows is worth nothing: it is told so, and goes on from the newest.
 */
export type FeedOptions = {
  open: OpenSocket;
  /** The newest event of the journal. */
  newest: (signal: AbortSignal) => Promise<number>;
  after: number;
  onEvent: (frame: EventFrame) => void;
  onGap: () => void;
  signal: AbortSignal;
};

const SILENCE_MS = 40_000;
const FIRST_WAIT_MS = 250;
const MOST_WAIT_MS = 5_000;

const anyFrame = z.union([controlFrame, eventFrame]);

export async function followJournal(options: FeedOptions): Promise<void> {
  const { signal } = options;
  let place = options.after;
  let tries = 0;
  let heard = Date.now();
  let lostAt = Date.now();

  async function readOnce(): Promise<void> {
    if (tries > 0) place = await checkPlace(place);
    const frames = readFrames({
      open: options.open,
      path: routePath(hubRoutes.events.path, {}, { after: place }),
      decode: (value) => anyFrame.safeParse(value).data,
      silenceMs: SILENCE_MS,
      signal,
    });
    for await (const frame of frames) {
      heard = Date.now();
      if ("at" in frame) {
        if (frame.seq <= place) continue;
        place = frame.seq;
        options.onEvent(frame);
      } else if (frame.type === "ready") {
        if (frame.first > place + 1 && frame.seq > place) options.onGap();
        tries = 0;
        setConnection({ kind: "live", since: heard });
      } else if (frame.type === "ping") place = Math.max(place, frame.seq);
    }
  }

  /** A browser is not told why an upgrade was refused; a place beyond the end would be refused for ever. */
  async function checkPlace(before: number): Promise<number> {
    const newest = await options.newest(signal);
    if (newest >= before) return before;
    options.onGap();
    return newest;
  }

  function tell(nextAt: number | undefined): void {
    setConnection({ kind: "reconnecting", since: lostAt, tries, nextAt, lastUpdate: heard });
  }

  while (!signal.aborted) {
    try {
      if (tries > 0) tell(undefined);
      await readOnce();
    } catch (error) {
      if (signal.aborted || isRefused(error)) return;
      if (useConnection.getState().connection.kind !== "reconnecting") lostAt = Date.now();
      tries += 1;
      const waitMs = pauseBefore(tries);
      tell(Date.now() + waitMs);
      await pause(waitMs, signal);
    }
  }
}

/** Doubles up to a limit, and is spread out, so that the pages of a restarted hub do not all come back in one moment. */
export function pauseBefore(tries: number, random: () => number = Math.random): number {
  const usual = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MOST_WAIT_MS);
  return Math.round(usual * (0.75 + random() / 2));
}

function isRefused(error: unknown): boolean {
  return error instanceof HubError && (error.code === "UNAUTHENTICATED" || error.code === "FORBIDDEN");
}

/** Until the time is up, somebody wants it now, or the page comes back from sleep. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      window.clearTimeout(timer);
      signal.removeEventListener("abort", end);
      window.removeEventListener("online", end);
      onTryNow(() => {});
      resolve();
    };
    const timer = window.setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    window.addEventListener("online", end, { once: true });
    onTryNow(end);
  });
}
