import { eventsFields, mailFields } from "../../contract/socket/frames.js";
import { decode } from "../../decoding/decode.js";
import type { TakerSeat } from "../../hub/mail-port.js";
import { HUMAN_NAME } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { nearest } from "../../model/nearest.js";
import { errorAnswer, toHubError } from "../answers/error-answer.js";
import { type Caller, checkAccess, memberId } from "../caller/auth.js";
import type { HubPorts } from "../ports.js";
import { viewOffered } from "../shown/message-view.js";
import { readEvents } from "../streams/read-events.js";
import type { StreamReader, Wire } from "../streams/wire.js";
import { readFrame } from "./read-frame.js";
import type { SocketOp } from "./socket-ops.js";

/*
 * One agent's socket. It is always in one of these modes:
 *
 *   open     frames are read and answered, each as soon as it is done; mail is pushed as far as its window goes
 *   full     nothing more is read: too many frames are being answered, or the other side does not take what was written. It is
 *            open again once there is room; a side that takes nothing for `readerStallMs` is dropped
 *   ending   it was dropped: what is being answered still is, then it is told why and closed
 *   closed
 */
type Mode = "open" | "full" | "ending" | "closed";

export type SocketWire = Wire & { pause(): void; resume(): void };

export type AgentSocket = StreamReader & { frame(bytes: Buffer, isBinary: boolean): void };

export function startAgentSocket(
  ports: HubPorts,
  ops: ReadonlyMap<string, SocketOp>,
  opener: Caller,
  wire: SocketWire,
): AgentSocket {
  const { limits, views } = ports;
  const me = memberId(opener);
  const json = { depth: limits.jsonDepth, keys: limits.jsonKeys };
  const underWay = new Map<number, number>();
  const hangUps = new Set<() => void>();
  let mode: Mode = "open";
  let bytesUnderWay = 0;
  let seat: TakerSeat | undefined;
  let window = 0;
  let stalled: NodeJS.Timeout | undefined;
  let lingering: NodeJS.Timeout | undefined;

  const own: Record<string, (fields: Record<string, unknown>, caller: Caller) => string | Promise<string>> = {
    mail: (fields) => setWindow(decode(mailFields, fields, "arguments").window),
    events: (fields, caller) =>
      readEvents(ports, caller, decode(eventsFields, fields, "arguments"), onHangUp),
  };

  function frame(bytes: Buffer, isBinary: boolean) {
    if (mode === "ending" || mode === "closed") return;
    const read = readFrame(bytes, isBinary, json);
    if ("problem" in read) return refuse(read.n, read.problem);
    const { n, op, fields } = read;
    if (underWay.has(n)) {
      return refuse(n, new HubError("INVALID_INPUT", `n: ${n} is being answered; give each frame its own`));
    }
    underWay.set(n, bytes.length);
    bytesUnderWay += bytes.length;
    run(op, fields).then(
      (answer) => settle(n, () => say(`{"n":${n},"answer":${answer}}`)),
      (error: unknown) => settle(n, () => refuse(n, error, ops.get(op)?.onError)),
    );
    look();
  }

  async function run(op: string, fields: Record<string, unknown>): Promise<string> {
    const caller = fresh();
    const mine = Object.hasOwn(own, op) ? own[op] : undefined;
    if (mine !== undefined) return mine(fields, caller);
    const known = ops.get(op);
    if (known === undefined) throw unknownOp(op);
    checkAccess(caller, known.access);
    return known.run(caller, fields, onHangUp);
  }

  /** Whoever opened it, as it is now: it may have another name, or be gone. */
  function fresh(): Caller {
    if (opener.kind !== "agent") return opener;
    const agent = views.roster.byId(me);
    if (agent !== undefined && agent.goneAt === null) return { kind: "agent", agent };
    throw new HubError("UNAUTHENTICATED", "The agent of this socket has left; register again");
  }

  function unknownOp(op: string): HubError {
    const known = [...ops.keys(), ...Object.keys(own)].sort();
    const meant = nearest(op, known);
    const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
    return new HubError("INVALID_INPUT", `op: there is no "${op.slice(0, 80)}"${hint}`, { available: known });
  }

  function settle(n: number, tell: () => void) {
    bytesUnderWay -= underWay.get(n) ?? 0;
    underWay.delete(n);
    if (mode === "closed") return;
    tell();
    look();
    if (mode === "ending" && underWay.size === 0) end();
  }

  function say(text: string) {
    wire.send(text);
  }

  function refuse(n: number | null, thrown: unknown, beside: Record<string, unknown> = {}) {
    const error = ports.explain(thrown);
    if (toHubError(error) !== error) ports.logError(error, "a frame of an agent's socket");
    say(`{"n":${n},${errorAnswer(error, beside).body.slice(1)}`);
    look();
  }

  function onHangUp(listener: () => void) {
    hangUps.add(listener);
    return () => void hangUps.delete(listener);
  }

  /** How many may be with the client. Before the first `mail` it takes none. */
  function setWindow(wanted: number): string {
    window = wanted;
    if (wanted === 0) {
      seat?.leave();
      seat = undefined;
    } else {
      seat ??= ports.mail.join(me, { take: push, fail: cannotHandOut });
      if (mode !== "full") seat.setWindow(wanted);
    }
    return JSON.stringify({ window: wanted });
  }

  function push(messages: Parameters<Parameters<HubPorts["mail"]["join"]>[1]["take"]>[0]) {
    if (mode === "closed") return;
    say(`{"mail":[${messages.map((one) => JSON.stringify(viewOffered(one, views, me))).join()}]}`);
    look();
  }

  function cannotHandOut(error: unknown) {
    drop(`mail cannot be handed out: ${toHubError(ports.explain(error)).message}`);
  }

  function isFull(): boolean {
    const most = mode === "full" ? 0.5 : 1;
    return (
      underWay.size >= limits.socketInFlight * most ||
      bytesUnderWay > limits.readerBufferBytes * most ||
      wire.buffered() > limits.readerBufferBytes * most
    );
  }

  /** Whether more is read and pushed, by what is under way and what the other side has not taken. */
  function look() {
    if (mode !== "open" && mode !== "full") return;
    if (wire.buffered() <= limits.readerBufferBytes / 2) {
      clearTimeout(stalled);
      stalled = undefined;
    } else if (wire.buffered() > limits.readerBufferBytes) {
      stalled ??= setTimeout(giveUp, limits.readerStallMs);
    }
    const next = isFull() ? "full" : "open";
    if (next === mode) return;
    mode = next;
    if (next === "full") {
      wire.pause();
      seat?.setWindow(0);
    } else {
      wire.resume();
      seat?.setWindow(window);
    }
  }

  function giveUp() {
    mode = "ending";
    end("slow reader: it stopped taking frames");
  }

  let reason = "";
  function drop(why: string) {
    if (mode === "ending" || mode === "closed") return;
    mode = "ending";
    reason = why;
    seat?.leave();
    for (const listener of hangUps) listener();
    if (underWay.size === 0) end();
    else lingering = setTimeout(end, limits.readerLingerMs);
  }

  function end(why = reason) {
    if (mode === "closed") return;
    say(JSON.stringify({ type: "dropped", reason: why }));
    close();
    wire.end(why);
  }

  function close() {
    mode = "closed";
    clearInterval(ping);
    clearTimeout(stalled);
    clearTimeout(lingering);
    seat?.leave();
    for (const listener of hangUps) listener();
  }

  const ping = setInterval(() => {
    if (stalled === undefined) say('{"type":"ping"}');
  }, limits.pingEveryMs);
  say(
    JSON.stringify({
      type: "ready",
      id: me,
      name: opener.kind === "agent" ? opener.agent.name : HUMAN_NAME,
      seq: ports.lastSeq(),
      in_flight: limits.socketInFlight,
      frame_bytes: frameBytes(limits),
    }),
  );
  return { frame, drained: look, drop, close };
}

/** As large as a body, and what stands around it. */
export function frameBytes({ bodyBytes }: Pick<HubPorts["limits"], "bodyBytes">): number {
  return bodyBytes + 1024;
}
