import type { ReactNode } from "react";
import { type ShownStatus, statusLooks } from "./agent-status.js";
import { Age, Elapsed } from "./elapsed.js";
import "./status-glyph.css";
import { sayClock } from "./time.js";

/* Drawn in a box of 12, in the colour of the text around it: shapes first, so that none is told by colour alone. */
const drawings: { readonly [S in ShownStatus]: ReactNode } = {
  busy: <circle cx="6" cy="6" r="4.5" className="glyph__live" />,
  idle: <circle cx="6" cy="6" r="3.9" {...line(1.8)} />,
  waiting: (
    <>
      <circle cx="6" cy="6" r="4.3" {...line(1.5)} />
      <path d="M6 1.7a4.3 4.3 0 0 0 0 8.6z" fill="currentColor" />
    </>
  ),
  listening: (
    <>
      <circle cx="6" cy="6" r="4.3" {...line(1.5)} />
      <path d="M6 6V2.2A3.8 3.8 0 0 1 9.8 6z" fill="currentColor" />
    </>
  ),
  rate_limited: (
    <path d="M3 1.5h6M3 10.5h6M3.8 1.8c0 2.6 4.4 3.4 4.4 8.4M8.2 1.8c0 2.6-4.4 3.4-4.4 8.4" {...line(1.4)} />
  ),
  limited: (
    <path d="M3 1.5h6M3 10.5h6M3.8 1.8c0 2.6 4.4 3.4 4.4 8.4M8.2 1.8c0 2.6-4.4 3.4-4.4 8.4" {...line(1.4)} />
  ),
  paused: <path d="M4 2.5v7M8 2.5v7" {...line(2)} />,
  starting: <path d="M6 1.7A4.3 4.3 0 1 1 1.9 4.7" {...line(1.6)} />,
  dormant: <path d="M9.9 7.3A4.3 4.3 0 1 1 4.7 2.1a3.5 3.5 0 0 0 5.2 5.2z" {...line(1.4)} />,
  stalled: (
    <>
      <path d="M6 1.6v5.2" {...line(2.2)} />
      <circle cx="6" cy="10" r="1.3" fill="currentColor" />
    </>
  ),
  error: (
    <>
      <path d="M6 1.6 11 10.3H1z" {...line(1.3)} />
      <path d="M6 5v2.2" {...line(1.3)} />
      <circle cx="6" cy="8.7" r=".7" fill="currentColor" />
    </>
  ),
  offline: <circle cx="6" cy="6" r="4.3" {...line(1.6)} strokeDasharray="1.7 1.677" strokeLinecap="butt" />,
  dead: <path d="M2.7 2.7l6.6 6.6M9.3 2.7 2.7 9.3" {...line(1.7)} />,
  unknown: (
    <>
      <path d="M3.9 4.1a2.1 2.1 0 1 1 3.1 1.9c-.7.4-1 .8-1 1.5" {...line(1.5)} />
      <circle cx="6" cy="9.9" r="1" fill="currentColor" />
    </>
  ),
};

function line(width: number) {
  return {
    fill: "none",
    stroke: "currentColor",
    strokeWidth: width,
    strokeLinecap: "round",
    strokeLinejoin: "round",
  } as const;
}

/** The drawing alone: its word or time must stand beside it. */
export function StatusGlyph({ status }: { status: ShownStatus }) {
  return (
    <svg
      className={`glyph glyph--${statusLooks[status].tone} glyph--is-${status}`}
      viewBox="0 0 12 12"
      width="12"
      height="12"
      aria-hidden="true"
    >
      {drawings[status]}
    </svg>
  );
}

/** The glyph with its word and time: `busy 0:42`. `since` and `until` are milliseconds since 1970. */
export function StatusLine({
  status,
  since,
  until,
  title,
}: {
  status: ShownStatus;
  since: number;
  until?: number | undefined;
  /** What it rests on. */
  title?: string | undefined;
}) {
  const { word, tone } = statusLooks[status];
  return (
    <span className={`status-line status-line--${tone}`} title={title}>
      <StatusGlyph status={status} />
      <span>
        {word} <StatusTime status={status} since={since} until={until} />
      </span>
    </span>
  );
}

/** Only the time, as a row of agents has it beside the glyph. */
export function StatusTime({
  status,
  since,
  until,
}: {
  status: ShownStatus;
  since: number;
  until?: number | undefined;
}) {
  switch (statusLooks[status].beside) {
    case "elapsed":
      return <Elapsed since={since} />;
    case "age":
      return <Age since={since} />;
    case "until":
      return until === undefined ? null : <span className="figures">until {sayClock(until)}</span>;
    case "nothing":
      return null;
  }
}
