import type { ExecuteCommand } from "../hub/deciders.js";
import type { Listen } from "../journal/signal.js";
import type { HubEvent } from "../model/events.js";
import type { Batch } from "../model/link.js";
import type { PeerName } from "../model/peer.js";
import type { TightViews } from "../views/tight.js";

type EarlyNumbers = {
  /** What was numbered just now, if anything was and nobody took it yet. */
  take(peer: PeerName): Promise<Batch | undefined> | undefined;
  end(): void;
};

type NumberPorts = { views: TightViews; execute: ExecuteCommand; onApplied: Listen<readonly HubEvent[]> };

type OnNumbered = (peer: PeerName) => void;

/**
 * Mail to another hub gets its number in the commit that accepts it, as an offer does (ADR 4): one sync less before it leaves. Only
 * while nothing is under way to that hub; else what comes is numbered with the next batch, many at once. `onNumbered` is called
 * before the sender has its answer: the way to the other hub is the longer one.
 */
export function createEarlyNumbers(
  { views, execute, onApplied }: NumberPorts,
  onNumbered: OnNumbered,
): EarlyNumbers {
  const early = new Map<PeerName, Promise<Batch | undefined>>();

  function number(peer: PeerName) {
    if (early.has(peer) || views.peers.byName(peer)?.kind !== "hub") return;
    if (views.linkFrames.unacknowledgedSize(peer).frames > 0) return;
    const numbered = execute("numberFrames", { peer });
    early.set(peer, numbered);
    // Whoever hears of the commit takes it at once; later it may be out of date, and what waits is asked for anew.
    const forget = () => setImmediate(() => early.delete(peer));
    numbered.then(() => {
      onNumbered(peer);
      forget();
    }, forget);
  }

  const end = onApplied((events) => {
    if (views.peers.isEmpty()) return;
    for (const event of events)
      if (event.type === "MessageAccepted")
        for (const { agent } of event.data.message.to) {
          const known = views.peers.agent(agent);
          if (known !== undefined) number(known.peer);
        }
  });

  return {
    take(peer) {
      const numbered = early.get(peer);
      early.delete(peer);
      return numbered;
    },
    end,
  };
}
