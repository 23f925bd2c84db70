import { agentMessage } from "../../contract/link/agent-message.js";
import { signedBatch } from "../../contract/link/batch.js";
import { type PairAnswer, type PairCall, rpcCall } from "../../contract/link/rpc.js";
import { decode } from "../../decoding/decode.js";
import type { Clock } from "../../model/clock.js";
import { HubError } from "../../model/errors.js";
import type { DirectoryPage } from "../../model/link.js";
import type { Peer, PeerName } from "../../model/peer.js";
import { toLinkMail } from "../agent-messages.js";
import type { Directories } from "../directories.js";
import type { Greetings } from "../greetings.js";
import type { Identity } from "../identity.js";
import { type KnownHubs, untrusted } from "../known-hubs.js";
import type { LinkHub } from "../link-hub.js";
import type { PeerRate } from "../peer-rate.js";
import type { PeerRuns } from "../peer-runs.js";
import type { RpcGuard } from "../rpc-proof.js";
import { isBatchSigned, signAck } from "../sign-batch.js";
import type { TellDirectory } from "../tell-directory.js";
import { findPeer, type Shown } from "./peer-secrets.js";

/** A request whose caller, body and size are checked. `shown` is undefined for a pairing, which has no secret yet. */
type PeerRequest = {
  shown: Shown | undefined;
  query: URLSearchParams;
  body: unknown;
  address: string;
};

export type PeerRoute = {
  method: "GET" | "POST";
  /** Of its body, at most; 0: it has none. */
  bytes: number;
  /** Whether it may be called without a secret: its body then shows who it is. */
  isOpen?: true;
  answer(request: PeerRequest): Promise<Record<string, unknown>>;
  /** The same in two steps, where the answer may not be needed: once it resolves all is done, and the rest writes the answer. */
  take?(request: PeerRequest): Promise<() => Record<string, unknown>>;
  /** What every hub of the same fabric may ask without becoming a peer; undefined for all else. */
  lookUp?(body: unknown): Record<string, unknown> | undefined;
};

type RouteOptions = {
  hub: LinkHub;
  identity: Identity;
  known: KnownHubs;
  clock: Clock;
  rate: PeerRate;
  runs: PeerRuns;
  /** The name of this start of the hub. */
  run: string;
  guard: RpcGuard;
  greetings: Pick<Greetings, "have" | "compare">;
  /** Somebody in the name of a peer was refused for its key. */
  onDistrusted: (peer: PeerName, error: HubError) => void;
  /** Of a request that brings mail. */
  bodyBytes: number;
  /** Somebody who is a peer called. */
  onCalled: (peer: PeerName) => void;
  pair: (call: PairCall, address: string) => Promise<PairAnswer>;
  directory: Pick<TellDirectory, "answer" | "show"> & Pick<Directories, "take" | "used">;
};

/** As much is read of somebody who has shown no secret. */
const RPC_BYTES = 4096;

/** All that the listener serves. */
export function createPeerRoutes(options: RouteOptions): ReadonlyMap<string, PeerRoute> {
  const {
    hub,
    identity,
    known,
    clock,
    rate,
    runs,
    run: ownRun,
    guard,
    greetings,
    bodyBytes,
    onCalled,
    onDistrusted,
    pair,
    directory,
  } = options;

  async function receiveMessage({ shown, body }: PeerRequest) {
    const message = decode(agentMessage, body, "body");
    const peer = findPeer(need(shown), message.from);
    onCalled(peer.name);
    rate.addMessage(peer.name);
    const { isBusy } = await hub.receiveFromPeer(peer.name, toLinkMail(message, peer));
    return { ok: true, queued: isBusy };
  }

  async function takeBatch({ shown, body }: PeerRequest) {
    const signed = decode(signedBatch, body, "body");
    const { origin, dest, from, key, run, epoch, low, frames } = signed;
    const peer = findHub(shown, from, origin);
    const signer = known.read(peer, key);
    if (signer?.id !== origin || !isBatchSigned(signed, signer.key)) throw untrusted(peer, "signed wrongly");
    if (dest !== identity.id)
      throw untrusted(peer, "sends mail of another hub: this is not the one it means");
    // Last of all: a key that signed nothing is not held on to.
    const sender = trust(peer, key, run);
    // One that stands in the configuration by its address shows here that it is a hub.
    if (peer.kind === "plain") await hub.learnHub(peer.name, { hubId: origin, publicKey: key });
    onCalled(peer.name);
    const batch = rate.cut(peer.name, { epoch, low, frames });
    const ack = await hub.receiveFrames(peer.name, batch);
    if (batch.frames.length > 0) directory.used(peer.name);
    rate.addFrames(peer.name, batch, ack);
    return () => ({ ok: true, ack, ...now(), sig: signAck(identity, sender.id, ack) });
  }

  function findHub(shown: Shown | undefined, from: string, origin: string): Peer {
    return orTell(() => findPeer(need(shown), from, origin));
  }

  function trust(peer: Peer, key: string, run: string | undefined) {
    return orTell(() => {
      const sender = known.meet(peer, key);
      runs.meet(peer, run);
      return sender;
    });
  }

  /** Whoever has the secret of a peer, and is not it, is told of. */
  function orTell<T>(find: () => T): T {
    try {
      return find();
    } catch (error) {
      const peer = error instanceof HubError ? error.details["peer"] : undefined;
      if (error instanceof HubError && error.code !== "RPC_STALE" && typeof peer === "string")
        onDistrusted(peer, error);
      throw error;
    }
  }

  async function answerRpc({ shown, body, address }: PeerRequest) {
    const call = decodeRpc(body);
    if (call.kind === "pair") return pair(call, address);
    const peer = findHub(shown, call.from, call.origin);
    checkCaller(peer, call, body);
    onCalled(peer.name);
    switch (call.kind) {
      case "directory":
        return showPage(call) ?? { ok: true, ...directory.answer(peer.name), ...now() };
      case "presence":
        return { ok: true, ...directory.take(peer.name, call), ...now() };
      case "claim":
        return { ok: true, ...(await hub.claimForPeer(peer.name, call)), ...now() };
      case "ping":
        greetings.compare(peer, call.have);
        return tellIdentity(peer.name);
    }
  }

  function showPage({ page }: { page?: DirectoryPage }) {
    return page && { ok: true, ...directory.show(page), ...now() };
  }

  /** Whoever only looks is not remembered. */
  function lookUp(body: unknown) {
    const call = rpcCall.safeParse(body).data;
    return call?.kind === "directory" ? showPage(call) : undefined;
  }

  /** Where no key of it is known yet, its secret is all that it can show. */
  function checkCaller(peer: Peer, call: Parameters<RpcGuard["check"]>[1], body: unknown) {
    orTell(() => {
      const hub = known.of(peer);
      if (hub === undefined) return;
      guard.check(peer, call, body, hub.key);
      runs.meet(peer, call.proof?.run);
    });
  }

  function tellIdentity(peer: PeerName) {
    const have = greetings.have(peer);
    return {
      ok: true,
      hub: identity.id,
      key: identity.publicKey,
      name: hub.self.name,
      have,
      run: ownRun,
      ...now(),
    };
  }

  const now = () => ({ at: clock.wall(), version: hub.self.version });

  async function tellStatus({ query }: PeerRequest) {
    const { name, status } = hub.status(query.get("agent") ?? undefined);
    return { ok: true, name, status, at: new Date(clock.wall()).toISOString() };
  }

  return new Map<string, PeerRoute>([
    ["/agent/message", { method: "POST", bytes: bodyBytes, answer: receiveMessage }],
    ["/agent/status", { method: "GET", bytes: 0, answer: tellStatus }],
    [
      "/agent/link",
      {
        method: "POST",
        bytes: bodyBytes,
        answer: async (request) => (await takeBatch(request))(),
        take: takeBatch,
      },
    ],
    ["/agent/rpc", { method: "POST", bytes: RPC_BYTES, isOpen: true, answer: answerRpc, lookUp }],
  ]);
}

function decodeRpc(body: unknown) {
  const read = rpcCall.safeParse(body);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  throw new HubError("INVALID_INPUT", problems.join("; ").slice(0, 1000));
}

function need(shown: Shown | undefined): Shown {
  if (shown !== undefined) return shown;
  throw new HubError("UNAUTHENTICATED", "A secret is needed: send the header Authorization: Bearer SECRET");
}
