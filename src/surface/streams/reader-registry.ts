import type { AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";

/** The open event streams: counted against a cap, and closed when their credential dies or the hub stops. */
export type ReaderRegistry = {
  add(owner: AgentId, drop: (reason: string) => void): () => void;
  dropOwner(owner: AgentId, reason: string): void;
  dropAll(reason: string): void;
  count(): number;
};

export function createReaderRegistry(cap: number): ReaderRegistry {
  const readers = new Map<symbol, { owner: AgentId; drop: (reason: string) => void }>();
  function dropWhere(reason: string, matches: (owner: AgentId) => boolean) {
    for (const [key, reader] of readers) {
      if (!matches(reader.owner)) continue;
      readers.delete(key);
      reader.drop(reason);
    }
  }
  return {
    add(owner, drop) {
      if (readers.size >= cap) {
        throw new HubError(
          "TOO_MANY_READERS",
          `${cap} event streams are open already; close one and try again`,
        );
      }
      const key = Symbol(owner);
      readers.set(key, { owner, drop });
      return () => readers.delete(key);
    },
    dropOwner: (owner, reason) => dropWhere(reason, (id) => id === owner),
    dropAll: (reason) => dropWhere(reason, () => true),
    count: () => readers.size,
  };
}
