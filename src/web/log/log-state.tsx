import { describeState, type Sign } from "./describe-state.js";
import type { LogRow } from "./log-rows.js";

/* Drawn in a box of 12, in the colour of its word. */
const drawings = {
  ring: <circle cx="6" cy="6" r="3.9" fill="none" stroke="currentColor" strokeWidth="1.7" />,
  dot: <circle cx="6" cy="6" r="4.2" fill="currentColor" />,
  bars: <path d="M4 2.5v7M8 2.5v7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />,
  check: (
    <path
      d="M2.2 6.4 4.8 9l5-6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  cross: (
    <path
      d="M2.7 2.7l6.6 6.6M9.3 2.7 2.7 9.3"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
    />
  ),
} as const satisfies Record<Sign, unknown>;

export function StateView({ row }: { row: LogRow }) {
  const { sign, word, about, tone } = describeState(row);
  return (
    <span className={`log-state log-state--${tone}`}>
      <svg className="log-state__sign" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        {drawings[sign]}
      </svg>
      {word}
      {about !== "" && <span className="log-state__about">{about}</span>}
    </span>
  );
}
