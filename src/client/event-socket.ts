import type { IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import { z } from "zod";
import { controlFrame, eventFrame, hubRoutes } from "../contract/http/hub.js";
import { HubError } from "../model/errors.js";
import { parseJson } from "../model/parse-json.js";
import { routePath } from "./call-route.js";
import { decodeRefusal } from "./decode-answer.js";

export type EventFrame = z.output<typeof eventFrame>;
type Frame = EventFrame | z.output<typeof controlFrame>;

type SocketOptions = {
  url: string;
  token?: string | undefined;
  from: { after?: number; since?: string };
  /** The hub pings every 15 s: a socket that is silent for longer is dead, whatever TCP believes. */
  silenceMs: number;
  signal: AbortSignal;
};

/** Frames that may wait for the consumer before the socket is told to stop reading. */
const WAITING_MAX = 1_000;
const frame = z.union([controlFrame, eventFrame]);

/** The frames of one connection, until it ends: then it throws a HubError that says why, or returns if aborted. */
export async function* readEventSocket(options: SocketOptions): AsyncGenerator<Frame, void, undefined> {
  const { signal } = options;
  const socket = open(options);
  const waiting: Frame[] = [];
  let ended: Error | undefined;
  let wake = () => {};
  const end = (reason: Error) => {
    ended ??= reason;
    socket.terminate();
    wake();
  };
  const silence = setTimeout(() => end(lost(options.url, "it fell silent")), options.silenceMs);
  const onAbort = () => end(new Error("aborted"));
  signal.addEventListener("abort", onAbort, { once: true });

  socket.on("unexpected-response", (_, response) => void readRefusal(response).then(end));
  socket.on("error", (error: NodeJS.ErrnoException) =>
    end(lost(options.url, error.code ?? error.message, error)),
  );
  socket.on("close", (code, reason) => end(lost(options.url, reason.toString() || `close code ${code}`)));
  socket.on("message", (data) => {
    silence.refresh();
    const decoded = frame.safeParse(parseJson(Buffer.isBuffer(data) ? data.toString("utf8") : ""));
    if (!decoded.success)
      return end(new HubError("INTERNAL", `${options.url} sent what is not an event frame`));
    waiting.push(decoded.data);
    if (waiting.length >= WAITING_MAX) socket.pause();
    wake();
  });

  try {
    if (signal.aborted) return;
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) {
        if (waiting.length === 0 && socket.isPaused) socket.resume();
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
    ended ??= new Error("left");
    socket.terminate();
  }
}

function open({ url, token, from }: SocketOptions): WebSocket {
  const base = url.replace(/\/+$/, "").replace(/^http/, "ws");
  return new WebSocket(base + routePath(hubRoutes.events.path, {}, from), {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    handshakeTimeout: 10_000,
  });
}

function lost(url: string, reason: string, cause?: Error): HubError {
  const text =
    reason === "ECONNREFUSED"
      ? `No hub answers at ${url} (${reason}). Start it with \`huddle up\``
      : `The connection to the hub at ${url} was lost: ${reason}`;
  return new HubError("HUB_UNREACHABLE", text, { url, reason }, { cause });
}

async function readRefusal(response: IncomingMessage): Promise<Error> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  } catch {
    // Cut short: what came says enough, or decodes to "not an answer of a hub".
  }
  return decodeRefusal({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") });
}
