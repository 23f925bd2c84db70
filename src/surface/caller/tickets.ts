import { randomBytes } from "node:crypto";
import type { Caller } from "./auth.js";

/** Single-use, short-lived stand-ins for a token, for a WebSocket whose client cannot send a header. */
export type Tickets = { issue(caller: Caller): string; redeem(ticket: string): Caller | undefined };

/** Of one caller: a flood of tickets costs only its own older ones. */
const MOST = 1000;

export function createTickets(lifeMs: number, monotonic: () => number): Tickets {
  const open = new Map<string, { caller: Caller; until: number }>();
  const owned = new Map<string, Set<string>>();

  function remove(ticket: string) {
    const found = open.get(ticket);
    open.delete(ticket);
    if (found === undefined) return undefined;
    const own = owned.get(ownerOf(found.caller));
    own?.delete(ticket);
    if (own?.size === 0) owned.delete(ownerOf(found.caller));
    return found;
  }

  function sweep() {
    for (const [ticket, { until }] of open) {
      if (until > monotonic()) break; // In order of issue: the rest is younger.
      remove(ticket);
    }
  }
  return {
    issue(caller) {
      sweep();
      const ticket = randomBytes(24).toString("base64url");
      const own = owned.get(ownerOf(caller)) ?? new Set();
      const [oldest] = own;
      if (oldest !== undefined && own.size >= MOST) remove(oldest);
      owned.set(ownerOf(caller), own.add(ticket));
      open.set(ticket, { caller, until: monotonic() + lifeMs });
      return ticket;
    },
    redeem(ticket) {
      const found = remove(ticket);
      return found !== undefined && found.until > monotonic() ? found.caller : undefined;
    },
  };
}

function ownerOf(caller: Caller): string {
  return caller.kind === "agent" ? caller.agent.id : caller.kind;
}
