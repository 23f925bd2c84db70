import { HubError } from "../model/errors.js";
import { sleep } from "../model/sleep.js";

/*
 * A stream is connecting, then live once the hub said `ready`; when the connection goes it is reconnecting, and live
 * again after the next `ready`. It ends by the signal, or by an error that waiting does not fix. A hub that does not
 * answer at the very first attempt is such an error; later it is a hub that restarts.
 */
export type StreamState = { kind: "live" } | { kind: "reconnecting"; because: HubError; inMs: number };

export type Following = {
  onState?: (state: StreamState) => void;
  silenceMs?: number;
  backoff?: { firstMs: number; maxMs: number };
  signal: AbortSignal;
};

type KeepFollowing<F> = Following & {
  /** Called for every connection. */
  connect: (silenceMs: number) => AsyncGenerator<F, void, undefined>;
  isReady: (frame: F) => boolean;
};

const SILENCE_MS = 3 * 15_000;
const BACKOFF = { firstMs: 200, maxMs: 5_000 };

/** Every frame of a stream, across restarts of the hub. */
export async function* keepFollowing<F>(options: KeepFollowing<F>): AsyncGenerator<F, void, undefined> {
  const { connect, isReady, onState, silenceMs = SILENCE_MS, backoff = BACKOFF, signal } = options;
  let everLive = false;
  let delayMs = backoff.firstMs;
  while (!signal.aborted) {
    try {
      for await (const frame of connect(silenceMs)) {
        if (isReady(frame)) {
          everLive = true;
          delayMs = backoff.firstMs;
          onState?.({ kind: "live" });
        }
        yield frame;
      }
    } catch (error) {
      if (!(error instanceof HubError) || !everLive || !passes(error)) throw error;
      // Spread out, so that the readers of a restarted hub do not all come back in one moment.
      const inMs = Math.round(delayMs * (0.75 + Math.random() / 2));
      onState?.({ kind: "reconnecting", because: error, inMs });
      await sleep(inMs, signal).catch(() => {});
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
