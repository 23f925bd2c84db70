import { lostConnection } from "../client/lost-connection.js";
import type { OpenSendingSocket, SendingSocket } from "../client/node-socket.js";
import { socketRoutes } from "../contract/socket/frames.js";
import { HubError } from "../model/errors.js";
import { type HubFrame, type Message, type Ready, readHubFrame } from "./hub-frames.js";

/*
 * The one socket of an agent, and what was asked on it. It is always in one of these modes:
 *
 *   connecting  a socket was opened, and the hub has not said `ready`
 *   live        what is asked goes out at once
 *   waiting     the connection broke: the next is opened in a moment
 *   closed      by `close`, or because the hub refused it for good; whatever is asked is refused
 *
 * What was asked and not answered is asked again on the next connection, under the same ids, unless doing it twice would be
 * more than doing it once: that is refused with HUB_UNREACHABLE and `sent: true`.
 */
type Mode =
  | { kind: "connecting"; socket: SendingSocket }
  | { kind: "live"; socket: SendingSocket }
  | { kind: "waiting"; timer: NodeJS.Timeout | undefined }
  | { kind: "closed"; why: HubError };

/** How the connection is: for whoever wants to show it. */
export type LinkState = { kind: "live" } | { kind: "reconnecting"; because: HubError; inMs: number };

type Asked = {
  text: string;
  again: boolean;
  deadline: number;
  timeoutMs: number;
  isWaiting: boolean;
  wasSent: boolean;
  /** What the hub said of it that may pass. */
  trouble?: HubError;
  resolve: (answer: unknown) => void;
  reject: (error: HubError) => void;
};

type Ask = {
  op: string;
  fields: object;
  again: boolean;
  timeoutMs: number;
  /** How much longer it may take, because it waits for something to happen. */
  waitMs?: number;
};

type LinkOptions = {
  open: OpenSendingSocket;
  onMail: (mail: readonly Message[]) => void;
  /** On every connection, after what was not answered was asked again. */
  onReady: (ready: Ready) => void;
  onState: (state: LinkState) => void;
  onClosed: (why: HubError) => void;
  silenceMs?: number;
  backoff?: { firstMs: number; maxMs: number };
};

export type HubLink = {
  /** The first connection. */
  ready: Promise<Ready>;
  ask(asked: Ask): Promise<unknown>;
  /** Resolves once nothing is unanswered but what waits for something to happen. */
  settled(): Promise<void>;
  close(): void;
};

const LOOK_MS = 500;
const SILENCE_MS = 3 * 15_000;
const BACKOFF = { firstMs: 100, maxMs: 5000 };

export function openHubLink(options: LinkOptions): HubLink {
  const { silenceMs = SILENCE_MS, backoff = BACKOFF } = options;
  const asked = new Map<number, Asked>();
  const settling: (() => void)[] = [];
  let mode: Mode = { kind: "waiting", timer: undefined };
  let last = 0;
  /** Unanswered ones that wait for nothing but their answer. */
  let due = 0;
  let heard = performance.now();
  let delayMs = backoff.firstMs;
  let first: { resolve: (ready: Ready) => void; reject: (error: HubError) => void } | undefined;
  let frameBytes = Number.POSITIVE_INFINITY;
  const ready = new Promise<Ready>((resolve, reject) => {
    first = { resolve, reject };
  });

  function connect() {
    heard = performance.now();
    try {
      const socket = options.open(socketRoutes.open.path, {
        frame: (text) => take(readHubFrame(text), socket),
        ended: lost,
      });
      mode = { kind: "connecting", socket };
    } catch (error) {
      lost(error instanceof HubError ? error : lostConnection("the hub", String(error)));
    }
  }

  function take(frame: HubFrame | undefined, socket: SendingSocket) {
    heard = performance.now();
    if (mode.kind === "closed") return;
    switch (frame?.kind) {
      case "answer":
        return settle(frame.n, (one) => one.resolve(frame.answer));
      case "refusal":
        return refused(frame.n, frame.error);
      case "mail":
        return options.onMail(frame.mail);
      case "ready":
        return goLive(frame.ready, socket);
      case "other":
        return;
      case undefined:
        socket.close();
        lost(new HubError("INTERNAL", `${socket.where} sent what is not a frame of an agent's socket`));
    }
  }

  function goLive(said: Ready, socket: SendingSocket) {
    mode = { kind: "live", socket };
    frameBytes = said.frame_bytes;
    delayMs = backoff.firstMs;
    for (const [n, one] of asked) send(n, one);
    options.onReady(said);
    options.onState({ kind: "live" });
    first?.resolve(said);
    first = undefined;
  }

  function send(n: number, one: Asked) {
    if (mode.kind !== "live") return;
    const bytes = Buffer.byteLength(one.text);
    if (bytes > frameBytes) {
      const sentence = `This is ${bytes} bytes long; the hub takes at most ${frameBytes} at once`;
      settle(n, ({ reject }) => reject(new HubError("BODY_TOO_LARGE", sentence, { limit: frameBytes })));
      return;
    }
    one.wasSent = true;
    mode.socket.send(one.text);
  }

  function settle(n: number, how: (one: Asked) => void) {
    const one = asked.get(n);
    if (one === undefined) return;
    asked.delete(n);
    if (!one.isWaiting) due--;
    how(one);
    if (due > 0) return;
    for (const resolve of settling.splice(0)) resolve();
  }

  function refused(n: number | null, error: HubError) {
    const one = n === null ? undefined : asked.get(n);
    if (n === null || one === undefined) return;
    // The hub is about to close the socket: the next one is asked.
    if (one.again && (error.code === "SHUTTING_DOWN" || error.code === "OUTCOME_UNKNOWN"))
      one.trouble = error;
    else settle(n, ({ reject }) => reject(error));
  }

  function lost(because: HubError) {
    if (mode.kind === "closed") return;
    if (first !== undefined || !passes(because)) return end(because);
    for (const [n, one] of asked) {
      if (one.again || !one.wasSent) continue;
      const details = { ...because.details, sent: true };
      settle(n, ({ reject }) => reject(new HubError(because.code, because.message, details)));
    }
    // Spread out, so that the programs of a restarted hub do not all come back in one moment.
    const inMs = Math.round(delayMs * (0.75 + Math.random() / 2));
    delayMs = Math.min(delayMs * 2, backoff.maxMs);
    mode = { kind: "waiting", timer: setTimeout(connect, inMs) };
    options.onState({ kind: "reconnecting", because, inMs });
  }

  /** One look for all that waits: a timer for each would cost more than what it waits for. */
  function look() {
    const now = performance.now();
    if ((mode.kind === "live" || mode.kind === "connecting") && now - heard >= silenceMs) {
      mode.socket.close();
      lost(lostConnection(mode.socket.where, "it fell silent"));
    }
    for (const [n, one] of asked) if (now >= one.deadline) settle(n, ({ reject }) => reject(tooLate(one)));
  }

  function end(why: HubError) {
    if (mode.kind === "closed") return;
    if (mode.kind === "waiting") clearTimeout(mode.timer);
    else mode.socket.close();
    mode = { kind: "closed", why };
    clearInterval(looking);
    for (const [n] of asked) settle(n, ({ reject }) => reject(why));
    first?.reject(why);
    first = undefined;
    options.onClosed(why);
  }

  const looking = setInterval(look, LOOK_MS);
  connect();

  return {
    ready,
    ask: ({ op, fields, again, timeoutMs, waitMs = 0 }) =>
      new Promise((resolve, reject) => {
        if (mode.kind === "closed") return reject(mode.why);
        const n = ++last;
        const one: Asked = {
          text: JSON.stringify({ n, op, ...fields }),
          again,
          deadline: performance.now() + timeoutMs + waitMs,
          timeoutMs: timeoutMs + waitMs,
          isWaiting: waitMs > 0,
          wasSent: false,
          resolve,
          reject,
        };
        asked.set(n, one);
        if (!one.isWaiting) due++;
        send(n, one);
      }),
    settled: () => (due === 0 ? Promise.resolve() : new Promise((resolve) => void settling.push(resolve))),
    close: () => end(new HubError("HUB_UNREACHABLE", "This connection was closed", { closed: true })),
  };
}

/** Whether it ended on purpose, by `close`. */
export function wasClosed(error: unknown): boolean {
  return error instanceof HubError && error.details["closed"] === true;
}

/** Whether waiting may fix it. */
function passes({ code }: HubError): boolean {
  return code === "HUB_UNREACHABLE" || code === "SHUTTING_DOWN" || code === "TOO_MANY_READERS";
}

function tooLate({ timeoutMs, wasSent, trouble }: Asked): HubError {
  if (trouble !== undefined) return trouble;
  const sentence = `The hub did not answer within ${Math.round(timeoutMs) / 1000} s`;
  return new HubError("TIMED_OUT", sentence, { sent: wasSent });
}
