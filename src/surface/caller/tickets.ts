import { randomBytes } from "node:crypto";
import type { Caller } from "./auth.js";

/** Single-use, short-lived stand-ins for a token, for a WebSocket whose client cannot send a header. */
export type Tickets = { issue(caller: Caller): string; redeem(ticket: string): Caller | undefined };

const MOST = 1000;

export function createTickets(lifeMs: number, monotonic: () => number): Tickets {
  const open = new Map<string, { caller: Caller; until: number }>();
  function sweep() {
    for (const [ticket, { until }] of open) {
      if (until > monotonic() && open.size <= MOST) break; // In order of issue: the rest is younger.
      open.delete(ticket);
    }
  }
  return {
    issue(caller) {
      sweep();
      const ticket = randomBytes(24).toString("base64url");
      open.set(ticket, { caller, until: monotonic() + lifeMs });
      return ticket;
    },
    redeem(ticket) {
      const found = open.get(ticket);
      open.delete(ticket);
      return found !== undefined && found.until > monotonic() ? found.caller : undefined;
    },
  };
}
