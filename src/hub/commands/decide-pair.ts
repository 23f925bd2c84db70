import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { PairAction } from "../../model/pair.js";
import type { HubDecider } from "../context.js";
import { isConversationPaused, isCooling } from "../rules/kept-back.js";
import { releaseHeld } from "../rules/release-held.js";

type DecidePair = { by: AgentId; from: AgentId; to: AgentId; action: PairAction };

/** `released`: how many held messages can be read now. */
type DecidedPair = { paused: boolean; released: number };

/** The person holds the mail of one direction of a pair back, lets it go on, or lets its cooldown begin anew. */
export const decidePair: HubDecider<DecidePair, DecidedPair> = ({ by, from, to, action }, context) => {
  const { views } = context;
  const isPaused = views.pausedPairs.has(from, to);
  const pair = { from, to, by };
  switch (action) {
    case "pause":
      return decided(isPaused ? [] : [newEvent("PairPaused", to, pair)], { paused: true, released: 0 });
    case "resume": {
      if (!isPaused) return decided([], { paused: false, released: 0 });
      const free = views.inbox
        .heldOf(from, to)
        .filter((delivery) => !isConversationPaused(delivery, context) && !isCooling(delivery, context));
      const events = [newEvent("PairResumed", to, pair), ...releaseHeld(views, free)];
      return decided(events, { paused: false, released: free.length });
    }
    case "reset": {
      const cooling = views.inbox.heldOf(from, to).filter(({ hold }) => hold === "cooldown");
      const free = isPaused ? [] : cooling;
      const events = [newEvent("PairReset", to, pair), ...releaseHeld(views, free)];
      return decided(events, { paused: isPaused, released: free.length });
    }
  }
};
