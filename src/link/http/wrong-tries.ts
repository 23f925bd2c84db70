import type { Clock } from "../../model/clock.js";
import { HubError } from "../../model/errors.js";

const MINUTE_MS = 60_000;
const ADDRESSES = 1000;

/** Counts the wrong secrets of each address. A right one is always taken: nobody can lock a peer out. */
export type WrongTries = {
  /** What the caller gets: its own refusal, or RATE_LIMITED after too many. */
  add(address: string, refusal: HubError): HubError;
};

export function createWrongTries(clock: Clock, perMinute: number): WrongTries {
  const tries = new Map<string, { count: number; until: number }>();
  return {
    add(address, refusal) {
      const now = clock.monotonic();
      const before = tries.get(address);
      const entry =
        before !== undefined && before.until > now ? before : { count: 0, until: now + MINUTE_MS };
      entry.count++;
      tries.delete(address);
      tries.set(address, entry);
      // The address that was quiet longest gives way.
      const [oldest] = tries.keys();
      if (tries.size > ADDRESSES && oldest !== undefined) tries.delete(oldest);
      if (entry.count <= perMinute) return refusal;
      return new HubError("RATE_LIMITED", "Too many wrong secrets from this address; wait a minute", {
        retry_after_ms: Math.ceil(entry.until - now),
      });
    },
  };
}
