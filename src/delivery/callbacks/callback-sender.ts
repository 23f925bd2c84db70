import type { CallbackOutcome } from "../../hub/commands/record-callback.js";
import type { ExecuteCommand } from "../../hub/deciders.js";
import type { Listen } from "../../journal/signal.js";
import { findCallbackPeer } from "../../model/callback-url.js";
import { HubError } from "../../model/errors.js";
import type { HubEvent } from "../../model/events.js";
import type { Peer } from "../../model/peer.js";
import type { PendingCallback } from "../../views/callbacks.js";
import type { TightViews } from "../../views/tight.js";
import { createStoreForSure } from "../store-for-sure.js";
import type { After } from "../timers.js";
import { callbackBody } from "./callback-body.js";
import { pickAddress, type ResolveHost } from "./pick-address.js";
import { postCallback } from "./post-callback.js";

/*
 * Makes the calls that are due. An alarm says when; what came of a call is journalled, with the next alarm if it failed. A hub that
 * ends between the two makes that call again when it starts: a callback is made at least once.
 */

/** Most calls under way at once; further ones wait for one of them to end. */
const AT_ONCE = 8;
const WITHIN_MS = 10_000;

type CallbackPorts = {
  views: TightViews;
  execute: ExecuteCommand;
  onCommitted: Listen<readonly HubEvent[]>;
  after: After;
  /** Read for each call, so that one that was changed counts at once. */
  secretOf: (peer: Peer) => Promise<string>;
  resolve: ResolveHost;
  onError: (error: unknown) => void;
  withinMs?: number;
};

type CallbackSender = { begin(): void; end(): Promise<void> };

export function createCallbackSender(ports: CallbackPorts): CallbackSender {
  const { views, execute, onCommitted, onError } = ports;
  const storeForSure = createStoreForSure(ports.after);
  const stopping = new AbortController();
  const waiting: string[] = [];
  const underWay = new Set<Promise<void>>();

  function ring(callback: string): void {
    waiting.push(callback);
    startNext();
  }

  function startNext(): void {
    while (underWay.size < AT_ONCE && !stopping.signal.aborted) {
      const callback = waiting.shift();
      if (callback === undefined) return;
      const calling = call(callback)
        .catch(onError)
        .finally(() => {
          underWay.delete(calling);
          startNext();
        });
      underWay.add(calling);
    }
  }

  async function call(callback: string): Promise<void> {
    const pending = views.callbacks.byId(callback);
    if (pending === undefined) return;
    const outcome = await attempt(pending, ports, stopping.signal);
    await storeForSure(async () => {
      // The hub stops: the next start tries again.
      if (stopping.signal.aborted) return;
      await execute("recordCallback", { callback, attempt: pending.attempt, outcome });
    });
  }

  const unlisten = onCommitted((events) => {
    for (const { type, data } of events)
      if (type === "AlarmFired" && data.kind === "send_callback") ring(data.ref);
  });

  return {
    /** What was under way when the hub ended has no alarm any more. */
    begin() {
      for (const { callback, due } of views.callbacks.all())
        if (!views.alarms.has({ due, kind: "send_callback", ref: callback })) ring(callback);
    },
    async end() {
      unlisten();
      stopping.abort();
      await Promise.all(underWay);
    },
  };
}

async function attempt(
  { url, answer }: PendingCallback,
  { views, secretOf, resolve, withinMs = WITHIN_MS }: CallbackPorts,
  stopping: AbortSignal,
): Promise<CallbackOutcome> {
  const peer = findCallbackPeer(url, views.peers.all());
  if (peer === undefined) return { kind: "refused", reason: "it is no peer's any more" };
  const stored = views.messages.bySeq(answer);
  if (stored === undefined) return { kind: "refused", reason: "the answer is not in the journal any more" };
  const within = AbortSignal.timeout(withinMs);
  const signal = AbortSignal.any([within, stopping]);
  try {
    const secret = await secretOf(peer);
    const picked = await beforeEnd(pickAddress(peer.host, resolve), signal);
    if ("refused" in picked) return { kind: "failed", reason: picked.refused };
    const { address } = picked;
    const status = await postCallback({ address, url, body: callbackBody(stored), secret, signal });
    if (status >= 200 && status < 300) return { kind: "delivered" };
    return { kind: "failed", reason: `it answered ${status}` };
  } catch (error) {
    return { kind: "failed", reason: within.aborted ? "it did not answer in time" : describe(error) };
  }
}

/** A resolver cannot be called off. */
function beforeEnd<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error("it took too long"));
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}

function describe(error: unknown): string {
  if (error instanceof HubError) return error.message;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "the connection failed";
}
