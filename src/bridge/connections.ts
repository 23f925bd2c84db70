import { connect, type Socket } from "node:net";
import { type AnswerListener, createAnswerParser } from "./answer-parser.js";

/*
 * HTTP over plain sockets that are kept open. Node's own client would add a tenth to the memory of a bridge that idles,
 * and a bridge idles nearly all the time, one for each agent.
 */

export type Exchange = { destroy(): void };

type Request = {
  url: URL;
  /** The request line and the headers, with the empty line after them. */
  head: string;
  body: Buffer | string;
  /** How long the other side may be silent. */
  silenceMs: number;
};

type ExchangeListener = AnswerListener & { onEnd(): void; onLost(error: Error): void };

const IDLE_MAX = 8;
/** Open and unused, by address, each with what ends its rest. */
const idle = new Map<string, { socket: Socket; take(): void }[]>();

export function exchange({ url, head, body, silenceMs }: Request, listener: ExchangeListener): Exchange {
  const kept = idle.get(url.origin)?.pop();
  kept?.take();
  const socket = kept?.socket ?? open(url);
  const parser = createAnswerParser(listener);

  function leave() {
    socket.off("data", onData).off("error", lose).off("close", onClose).off("timeout", onSilence);
    socket.setTimeout(0);
  }
  function lose(error: Error) {
    leave();
    socket.on("error", () => {}); // What else happens to it is nobody's business.
    socket.destroy();
    listener.onLost(error);
  }
  function finish() {
    leave();
    if (parser.canStay() && !socket.destroyed) keep(url.origin, socket);
    else socket.on("error", () => {}).destroy();
    listener.onEnd();
  }
  function onData(bytes: Buffer) {
    try {
      parser.take(bytes);
    } catch (error) {
      lose(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (parser.hasEnded()) finish();
  }
  function onClose() {
    if (parser.closed()) finish();
    else lose(new Error("the answer broke off"));
  }
  function onSilence() {
    lose(new Error(`no answer within ${silenceMs / 1000} s`));
  }

  socket.on("data", onData).on("error", lose).on("close", onClose).on("timeout", onSilence);
  socket.setTimeout(silenceMs);
  socket.cork();
  socket.write(head, "latin1");
  if (body.length > 0) socket.write(body);
  socket.uncork();
  let isGivenUp = false;
  return {
    destroy() {
      if (isGivenUp || parser.hasEnded()) return;
      isGivenUp = true;
      lose(new Error("given up"));
    },
  };
}

function open({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (protocol !== "https:") return connect({ host, port: Number(port || 80), noDelay: true });
  return process
    .getBuiltinModule("node:tls")
    .connect({ host, port: Number(port || 443), ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }) });
}

function keep(origin: string, socket: Socket): void {
  const resting = idle.get(origin) ?? [];
  idle.set(origin, resting);
  const entry = {
    socket,
    take: () => socket.off("data", drop).off("end", drop).off("close", drop).off("error", drop),
  };
  // Nothing may come between two exchanges.
  function drop() {
    const at = resting.indexOf(entry);
    if (at !== -1) resting.splice(at, 1);
    socket.destroy();
  }
  if (resting.length >= IDLE_MAX) {
    socket.destroy();
    return;
  }
  resting.push(entry);
  socket.on("data", drop).on("end", drop).on("close", drop).on("error", drop);
}
