import type { AgentId } from "./agent.js";

/** One direction of a pair of agents, and who decided about it. */
type PairDecision = { from: AgentId; to: AgentId; by: AgentId };

/** What the person decides about a pair: mail of that direction only. */
export type PairEvents = {
  /** What comes from now on is held until the pair is resumed. */
  PairPaused: PairDecision;
  PairResumed: PairDecision;
  /** Its cooldown begins anew. */
  PairReset: PairDecision;
};
