import type { AgentId } from "../../model/agent.js";

export type RequestId = string | number;

/** Requests that are being answered, so that another request can cancel them. */
type CallsInFlight = {
  add(owner: AgentId, id: RequestId, cancel: () => void): () => void;
  /** Only when there is exactly one: two clients with one token may number their requests alike. */
  cancel(owner: AgentId, id: RequestId): void;
};

export function createCallsInFlight(): CallsInFlight {
  const calls = new Map<string, Set<() => void>>();
  return {
    add(owner, id, cancel) {
      const key = keyOf(owner, id);
      const same = calls.get(key) ?? new Set();
      calls.set(key, same.add(cancel));
      return () => {
        same.delete(cancel);
        if (same.size === 0 && calls.get(key) === same) calls.delete(key);
      };
    },
    cancel(owner, id) {
      const same = calls.get(keyOf(owner, id));
      const [only] = same ?? [];
      if (same?.size === 1) only?.();
    },
  };
}

/** 1 and "1" are different ids. */
function keyOf(owner: AgentId, id: RequestId): string {
  return `${owner} ${typeof id === "number" ? "#" : "$"}${id}`;
}
