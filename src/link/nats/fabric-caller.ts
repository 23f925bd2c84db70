import { type NatsConnection, TimeoutError } from "@nats-io/transport-node";
import type { z } from "zod";
import { answered, asked } from "../../contract/link/fabric.js";
import { rpcSubject } from "../../fabric/subjects.js";
import type { Clock } from "../../model/clock.js";
import { HubError } from "../../model/errors.js";
import type { HubId } from "../../model/link.js";
import { type CallPeer, type PeerAnswer, unreachable } from "../http/call-peer.js";
import { untrusted } from "../known-hubs.js";
import { isNobodyThere } from "./last-value.js";
import type { Members } from "./members.js";
import { newMark, readSaid, writeSaid } from "./said.js";
import type { Opened, Sealer } from "./seal.js";
import type { UntilClosed } from "./until-closed.js";

type Place = Parameters<CallPeer["call"]>[0];

type CallerOptions = {
  self: HubId;
  sealer: Sealer;
  members: Members;
  /** The connection, or throws what is wrong with it. */
  connectionTo: (peer: Place) => NatsConnection;
  untilClosed: UntilClosed;
  clock: Clock;
  answerMs: number;
};

type FabricCaller = CallPeer & {
  /** The hub is there: it may be asked again. */
  heard(hub: HubId): void;
};

/** A hub that sleeps still has its connection for a while, and older servers keep it as long as somebody asks. */
const SILENT_MS = 60_000;

/** Asks hubs over the fabric what is asked over HTTP elsewhere. Whoever is not there now is told from at once: the server says so. */
export function createFabricCaller(options: CallerOptions): FabricCaller {
  const { self, sealer, members, connectionTo, untilClosed, clock, answerMs } = options;
  const silent = new Map<HubId, number>();

  async function call(peer: Place, { path, body, answerBytes }: Parameters<CallPeer["call"]>[1]) {
    const connection = connectionTo(peer);
    const member = await members.of(connection, peer);
    if ((silent.get(member.hub) ?? Number.NEGATIVE_INFINITY) > clock.monotonic())
      throw unreachable(peer, "did not answer a moment ago, and is not asked again within a minute");
    const re = newMark();
    const dest = { id: member.hub, box: member.box };
    const payload = sealer.seal("ask", dest, writeSaid(asked, { re, path }, body ?? ""));
    const data = await ask(connection, peer, member.hub, payload);
    if (data.length > answerBytes) throw unreachable(peer, `answers with more than ${answerBytes} bytes`);
    const answer = readAnswered(peer, sealer.open("answer", member.hub, data));
    if (answer.re !== re) throw untrusted(peer, "answered another question than was asked");
    silent.delete(member.hub);
    return answer;
  }

  async function ask(connection: NatsConnection, peer: Place, hub: HubId, payload: Buffer) {
    try {
      return (await connection.request(rpcSubject(hub, self), payload, { timeout: answerMs })).data;
    } catch (error) {
      if (isNobodyThere(error)) throw unreachable(peer, "is not connected to the fabric now", error);
      if (error instanceof TimeoutError) {
        silent.set(hub, clock.monotonic() + SILENT_MS);
        throw unreachable(peer, `did not answer within ${answerMs / 1000} s`, error);
      }
      throw error;
    }
  }

  return {
    call: (peer, question) => untilClosed.run(() => orUnreachable(peer, call(peer, question))),
    heard: (hub) => void silent.delete(hub),
    close() {},
  };
}

/** What was said in reply, opened: its first line, and the rest. */
export type Reply = { head: z.output<typeof answered>; body: Buffer };

/** What was said in reply, if it is from whom it should be. */
function readAnswered(peer: Place, opened: Opened): PeerAnswer & { re: string } {
  if (opened.kind === "forged") throw untrusted(peer, opened.why);
  const said = opened.kind === "opened" ? readSaid(answered, opened.content) : undefined;
  if (said === undefined) throw unreachable(peer, "answers something else than a hub would");
  return { re: said.head.re, ...asPeerAnswer(said) };
}

/** As HTTP would have it. */
export function asPeerAnswer({ head: { status, retryAfter }, body }: Reply): PeerAnswer {
  return { status, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter }, body };
}

/** Whatever the client or the server says goes as a sentence about the peer. */
export async function orUnreachable<T>(peer: Place, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HubError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw unreachable(peer, `cannot be reached over the fabric (${reason})`, error);
  }
}
