import { HubError } from "../model/errors.js";
import { parseJson } from "../model/parse-json.js";
import type { OpenSocket } from "./frame-socket.js";
import { lostConnection } from "./lost-connection.js";

type ReadFrames<F> = {
  open: OpenSocket;
  /** With its query. */
  path: string;
  /** `skip`: of a kind that this program does not know. Undefined: no frame at all. */
  decode: (value: unknown) => F | "skip" | undefined;
  /** The hub pings every 15 s: a socket that is silent for longer is dead, whatever TCP believes. */
  silenceMs: number;
  signal: AbortSignal;
};

/** Frames that may wait for the consumer before the socket is told to stop reading. */
const WAITING_MAX = 1_000;

/** The frames of one connection, until it ends: then it throws a HubError that says why, or returns if aborted. */
export async function* readFrames<F>(options: ReadFrames<F>): AsyncGenerator<F, void, undefined> {
  const { signal, decode, silenceMs } = options;
  if (signal.aborted) return;
  const waiting: F[] = [];
  let ended: Error | undefined;
  let isPaused = false;
  let heard = performance.now();
  let wake = () => {};
  const end = (reason: Error) => {
    ended ??= reason;
    wake();
  };
  const socket = options.open(options.path, {
    frame(text) {
      heard = performance.now();
      const decoded = decode(parseJson(text));
      if (decoded === "skip") return;
      if (decoded === undefined) {
        return end(new HubError("INTERNAL", `${socket.where} sent what is not a frame of ${options.path}`));
      }
      waiting.push(decoded);
      if (waiting.length >= WAITING_MAX && !isPaused) {
        isPaused = true;
        socket.pause?.();
      }
      wake();
    },
    ended: end,
  });
  const listen = () => {
    const silentMs = isPaused ? 0 : performance.now() - heard;
    if (silentMs >= silenceMs) return end(lostConnection(socket.where, "it fell silent"));
    silence = setTimeout(listen, Math.max(1, silenceMs - silentMs));
  };
  let silence = setTimeout(listen, silenceMs);
  const onAbort = () => end(new Error("aborted"));
  signal.addEventListener("abort", onAbort, { once: true });

  try {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) {
        if (waiting.length === 0 && isPaused) {
          isPaused = false;
          heard = performance.now();
          socket.resume?.();
        }
        yield next;
      } else if (signal.aborted) return;
      else if (ended !== undefined) throw ended;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", onAbort);
    socket.close();
  }
}
