import { agentMessageResponse, agentStatusAnswer } from "../../contract/link/agent-message.js";
import { ackAnswer } from "../../contract/link/batch.js";
import { claimAnswer, pingAnswer, presenceAnswer } from "../../contract/link/rpc.js";
import type { Clock } from "../../model/clock.js";
import { HubError } from "../../model/errors.js";
import type { Peer, PeerName } from "../../model/peer.js";
import type { Identity } from "../identity.js";
import { type KnownHubs, untrusted } from "../known-hubs.js";
import type { Have, Link, LinkSecrets, OnHeard, RpcAnswers, RpcWords, Said } from "../link.js";
import type { LinkHub } from "../link-hub.js";
import { encodeRpc, type RpcProof } from "../rpc-proof.js";
import { encodeBatch, isAckSigned } from "../sign-batch.js";
import { type CallLimits, type CallPeer, createCallPeer, type PeerAnswer } from "./call-peer.js";
import { readAnswer, refused } from "./read-answer.js";
import { readDirectory } from "./read-directory.js";

type HttpLinkOptions = {
  identity: Identity;
  self: LinkHub["self"];
  secrets: LinkSecrets;
  known: KnownHubs;
  onHeard: OnHeard;
  clock: Clock;
  limits?: CallLimits;
  /** What carries the calls; default: connections of its own. */
  caller?: CallPeer;
  /** The name of this start of the hub. */
  run?: string;
  /** Counts what this hub asks in this run, by whichever link: a peer hears each number once. */
  nextNumber?: () => number;
  /** What is here of that peer's frames, which a ping tells. */
  have?: (peer: PeerName) => Have;
};

type Rpc = Exclude<keyof RpcAnswers, "status" | "ping">;

const SMALL_ANSWER = 64 * 1024;
const DIRECTORY_ANSWER = 2 * 1024 * 1024;

/** Document 004's own way: HTTP between daemons on a local network, with a bearer secret. */
export function createHttpLink(options: HttpLinkOptions): Link {
  const { identity, self, secrets, known, onHeard, clock } = options;
  const caller = options.caller ?? createCallPeer(options.limits);

  let asked = 0;
  const nextNumber = options.nextNumber ?? (() => ++asked);
  /** The runs of peers, as they told. */
  const runsThere = new Map<PeerName, string>();

  async function call(peer: Peer, path: string, body?: string, answerBytes = SMALL_ANSWER) {
    const askedAt = clock.wall();
    const secret = secrets.of(peer);
    const said = body === undefined ? { method: "GET" as const } : { method: "POST" as const, body };
    const answer = await caller.call(peer, { ...said, path, secret, answerBytes });
    return { answer, ...halfway(askedAt, clock.wall()) };
  }

  async function request<K extends keyof RpcAnswers>(
    peer: Peer,
    kind: K,
    ...said: Said<K>
  ): Promise<RpcAnswers[K]>;
  async function request(
    peer: Peer,
    kind: keyof RpcAnswers,
    said?: RpcWords[keyof RpcWords],
  ): Promise<RpcAnswers[keyof RpcAnswers]> {
    if (kind === "status") return askStatus(peer);
    if (kind === "ping") return ping(peer);
    try {
      return await ask(peer, kind, said, await proofFor(peer));
    } catch (error) {
      // It started anew, or had read this on a connection that broke: signed again, it is asked once more.
      if (!(error instanceof HubError) || error.details["peer_code"] !== "RPC_STALE") throw error;
      runsThere.delete(peer.name);
      return ask(peer, kind, said, await proofFor(peer));
    }
  }

  async function ask(
    peer: Peer,
    kind: Rpc,
    said: RpcWords[keyof RpcWords],
    proof?: RpcProof,
  ): Promise<RpcAnswers[Rpc]> {
    const words = { v: 1, kind, origin: identity.id, from: self.name, ...said };
    const body = proof === undefined ? JSON.stringify(words) : encodeRpc(identity, words, proof);
    const { answer, skewAt } = await call(peer, "/agent/rpc", body, DIRECTORY_ANSWER);
    const page = said !== undefined && "page" in said ? said.page : undefined;
    const told = kind === "directory" ? readDirectory(peer, answer, page) : readRpc(peer, kind, answer);
    onHeard(peer.name, { skewMs: skewAt(told.at), version: told.version });
    return told;
  }

  async function ping(peer: Peer): Promise<RpcAnswers["ping"]> {
    const have = options.have === undefined ? {} : { have: options.have(peer.name) };
    const { answer, skewAt } = await call(
      peer,
      "/agent/rpc",
      JSON.stringify({ v: 1, kind: "ping", origin: identity.id, from: self.name, ...have }),
    );
    const told = readPing(peer, answer);
    if (told.run === undefined) runsThere.delete(peer.name);
    else runsThere.set(peer.name, told.run);
    onHeard(peer.name, { skewMs: skewAt(told.at), version: told.version });
    return told;
  }

  /** Undefined where it is of a version that knows no proofs. */
  async function proofFor(peer: Peer): Promise<RpcProof | undefined> {
    if (options.run === undefined) return undefined;
    const hub = await meet(peer);
    const to = runsThere.get(peer.name) ?? (await ping(peer)).run;
    return to === undefined ? undefined : { dest: hub.id, to, run: options.run, n: nextNumber() };
  }

  async function askStatus(peer: Peer): Promise<RpcAnswers["status"]> {
    const { answer, skewAt } = await call(peer, "/agent/status");
    const told = readAnswer(peer, answer, agentStatusAnswer);
    onHeard(peer.name, skewFrom(answer, skewAt));
    return told;
  }

  function readRpc(peer: Peer, kind: Exclude<Rpc, "directory">, answer: PeerAnswer) {
    switch (kind) {
      case "claim":
        return readAnswer(peer, answer, claimAnswer);
      case "presence":
        return readAnswer(peer, answer, presenceAnswer);
    }
  }

  function readPing(peer: Peer, answer: PeerAnswer) {
    const ping = readAnswer(peer, answer, pingAnswer);
    if (known.meet(peer, ping.key).id !== ping.hub)
      throw untrusted(peer, "says that it is another than its key");
    return ping;
  }

  /** A peer that was written down without its key is asked for it once. */
  async function meet(peer: Peer) {
    const before = known.of(peer);
    if (before !== undefined) return before;
    return known.meet(peer, (await ping(peer)).key);
  }

  return {
    async send(peer, batch) {
      const hub = await meet(peer);
      const body = encodeBatch(identity, { dest: hub.id, from: self.name, run: options.run, batch });
      const { answer, skewAt } = await call(peer, "/agent/link", body);
      const { ack, at, version, sig } = readAnswer(peer, answer, ackAnswer);
      if (!isAckSigned({ origin: hub.id, dest: identity.id }, ack, sig, hub.key)) {
        throw untrusted(peer, "did not sign its answer with the key that is known");
      }
      onHeard(peer.name, { skewMs: skewAt(at), version });
      return ack;
    },
    request,
    async sendPlain(peer, message) {
      const { answer, skewAt } = await call(peer, "/agent/message", JSON.stringify(message));
      const said = readAnswer(peer, answer, agentMessageResponse);
      // A daemon says no by `ok` too.
      if (!said.ok) throw refused(peer, answer, said);
      onHeard(peer.name, skewFrom(answer, skewAt));
      return said;
    },
    async close() {
      caller.close();
    },
  };
}

/** When in between the peer answered is not known: what the way alone explains is no difference of clocks. */
function halfway(askedAt: number, answeredAt: number): { skewAt: (at: number) => number } {
  const middle = (askedAt + answeredAt) / 2;
  const unsure = (answeredAt - askedAt) / 2;
  return { skewAt: (at) => (Math.abs(at - middle) <= unsure ? 0 : at - middle) };
}

/** A plain daemon's clock is known by the second only, if at all. */
function skewFrom({ headers }: PeerAnswer, skewAt: (at: number) => number): { skewMs?: number } {
  const at = Date.parse(headers.date ?? "");
  return Number.isNaN(at) ? {} : { skewMs: skewAt(at + 500) };
}
