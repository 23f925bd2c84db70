import type { AgentId } from "../model/agent.js";

/**
 * How many open deliveries of each sender an inbox has. Asked only of inboxes that are full: counted then, and kept in
 * step until the inbox is empty. Others cost nothing.
 */
type Shares = {
  of(agent: AgentId, sender: AgentId): number;
  add(agent: AgentId, sender: AgentId, change: number): void;
  clear(): void;
};

/** `count` has to see every delivery so far, also those of a batch that is not stored yet. */
export function createShares(count: (agent: AgentId, sender: AgentId) => number): Shares {
  const known = new Map<AgentId, Map<AgentId, number>>();
  return {
    of(agent, sender) {
      const inbox = known.get(agent) ?? new Map<AgentId, number>();
      known.set(agent, inbox);
      const n = inbox.get(sender) ?? count(agent, sender);
      inbox.set(sender, n);
      return n;
    },
    add(agent, sender, change) {
      const inbox = known.get(agent);
      const n = inbox?.get(sender);
      if (inbox === undefined || n === undefined) return;
      if (n + change > 0) inbox.set(sender, n + change);
      else inbox.delete(sender);
      if (inbox.size === 0) known.delete(agent);
    },
    clear: () => known.clear(),
  };
}
