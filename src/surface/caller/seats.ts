import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";

/** Most at once: of all agents together, and of each. */
export type SeatLimits = { total: number; each: number };

/**
 * Places for what a caller keeps open: waits, streams, searches. No agent can take them all, and what agents take keeps
 * nobody out but agents: the person has as many again.
 */
export type Seats = {
  /** Gives the place back when called, once. */
  take(owner: AgentId): () => void;
  count(): number;
};

type Kind = {
  /** What takes a place, in the plural. */
  what: string;
  /** The section of the configuration that has its limits. */
  section: string;
  /** What to do without a place. */
  instead: string;
};

export const waitSeats: Kind = { what: "open waits", section: "inbox", instead: "read without waiting" };
export const streamSeats: Kind = { what: "event streams", section: "events", instead: "close one first" };
export const searchSeats: Kind = {
  what: "running searches",
  section: "search",
  instead: "search again once one has ended",
};

export function createSeats({ total, each }: SeatLimits, { what, section, instead }: Kind): Seats {
  const taken = new Map<AgentId, number>();
  let count = 0;
  const of = (owner: AgentId) => taken.get(owner) ?? 0;

  function check(owner: AgentId) {
    const own = of(owner);
    if (owner !== HUMAN_ID && own >= each && each < total) {
      const sentence = `You have ${own} ${what} already, the most for one agent (${section}.agent_readers); ${instead}`;
      throw new HubError("TOO_MANY_READERS", sentence, { limit: each });
    }
    if ((owner === HUMAN_ID ? own : count - of(HUMAN_ID)) >= total) {
      const sentence = `There are ${total} ${what} already, which is the limit (${section}.readers); ${instead}`;
      throw new HubError("TOO_MANY_READERS", sentence, { limit: total });
    }
  }

  return {
    take(owner) {
      check(owner);
      taken.set(owner, of(owner) + 1);
      count++;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        count--;
        if (of(owner) > 1) taken.set(owner, of(owner) - 1);
        else taken.delete(owner);
      };
    },
    count: () => count,
  };
}
