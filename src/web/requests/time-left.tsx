import { SegmentBar } from "../parts/segment-bar.js";
import { sayElapsed } from "../parts/time.js";
import { useNow } from "../parts/use-now.js";
import type { ShownRequest } from "./use-requests.js";

/** There the hub reminds everybody by itself, once. */
const NUDGE_AT = 0.5;
/** From here on it is late. */
const LATE = 0.25;

/** How much of its time is gone, with the mark where everybody is reminded. */
export function TimeLeft({ request }: { request: ShownRequest }) {
  const now = useNow();
  const whole = request.timeout_seconds * 1000;
  const left = Math.max(0, (request.expiresAt ?? now) - now);
  const isLate = left < whole * LATE;
  return (
    <span className="time-left">
      <SegmentBar
        segments={[{ tone: isLate ? "amber" : "grey", part: whole === 0 ? 1 : 1 - left / whole }]}
        tick={NUDGE_AT}
      />
      <span className={`time-left__words figures ${isLate ? "time-left__words--late" : ""}`}>
        {sayElapsed(left)} left{isLate ? "" : ` of ${sayElapsed(whole)}`}
      </span>
    </span>
  );
}
