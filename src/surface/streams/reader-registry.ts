import type { AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { createSeats, type SeatLimits, streamSeats } from "../caller/seats.js";

/** The open event streams: each takes a place, and closed when their credential dies or the hub stops. */
export type ReaderRegistry = {
  add(owner: AgentId, drop: (reason: string) => void): () => void;
  dropOwner(owner: AgentId, reason: string): void;
  /** For a hub that stops: whoever comes later is refused, or nothing would ever end their stream. */
  dropAll(reason: string): void;
  count(): number;
};

type Reader = { owner: AgentId; drop: (reason: string) => void; leave: () => void };

export function createReaderRegistry(limits: SeatLimits): ReaderRegistry {
  const seats = createSeats(limits, streamSeats);
  const readers = new Map<symbol, Reader>();
  let isClosed = false;
  function dropWhere(reason: string, matches: (owner: AgentId) => boolean) {
    for (const [key, reader] of readers) {
      if (!matches(reader.owner)) continue;
      readers.delete(key);
      reader.leave();
      reader.drop(reason);
    }
  }
  return {
    add(owner, drop) {
      if (isClosed) throw new HubError("SHUTTING_DOWN", "The hub is stopping; connect again once it is back");
      const leave = seats.take(owner);
      const key = Symbol(owner);
      readers.set(key, { owner, drop, leave });
      return () => {
        readers.delete(key);
        leave();
      };
    },
    dropOwner: (owner, reason) => dropWhere(reason, (id) => id === owner),
    dropAll(reason) {
      isClosed = true;
      dropWhere(reason, () => true);
    },
    count: () => readers.size,
  };
}
