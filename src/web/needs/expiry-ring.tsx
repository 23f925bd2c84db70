import { sayClock, toMs } from "../parts/time.js";
import { useNow } from "../parts/use-now.js";
import { sayLeft, shareLeft } from "./shown-needs.js";

const AROUND = 2 * Math.PI * 4.6;

/** A ring that empties, and what happens then: `denied in 7:12`. */
export function ExpiryRing({ at, expires, what }: { at: string; expires: string; what: string }) {
  const now = useNow();
  const until = toMs(expires);
  const left = AROUND * shareLeft(toMs(at), until, now);
  return (
    <span className="expiry figures" title={`Unanswered, it is ${what} at ${sayClock(until)}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <circle cx="6" cy="6" r="4.6" className="expiry__track" />
        <circle
          cx="6"
          cy="6"
          r="4.6"
          className="expiry__left"
          strokeDasharray={`${left} ${AROUND}`}
          transform="rotate(-90 6 6)"
        />
      </svg>
      {what} in {sayLeft(until - now)}
    </span>
  );
}
