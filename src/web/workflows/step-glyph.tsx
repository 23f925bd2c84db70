import type { ReactNode } from "react";
import "./step-glyph.css";
import { type StepLook, stepLooks } from "./step-look.js";

const line = (width: number) =>
  ({
    fill: "none",
    stroke: "currentColor",
    strokeWidth: width,
    strokeLinecap: "round",
    strokeLinejoin: "round",
  }) as const;

/* In a box of 12, in the colour of the text around it: shapes first, so that none is told by colour alone. */
const drawings: { readonly [L in StepLook]: ReactNode } = {
  pending: <circle cx="6" cy="6" r="4.1" {...line(1.5)} />,
  queued: <circle cx="6" cy="6" r="4.3" {...line(1.6)} strokeDasharray="1.7 1.677" strokeLinecap="butt" />,
  running: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  waiting: (
    <>
      <circle cx="6" cy="6" r="4.3" {...line(1.5)} />
      <path d="M6 1.7a4.3 4.3 0 0 0 0 8.6z" fill="currentColor" />
    </>
  ),
  done: <path d="M1.8 6.4 4.6 9.2 10.4 2.9" {...line(1.8)} />,
  failed: <path d="M2.5 2.5l7 7M9.5 2.5l-7 7" {...line(1.8)} />,
  blocked: (
    <>
      <circle cx="6" cy="6" r="4.3" {...line(1.4)} />
      <path d="M3.2 8.8 8.8 3.2" {...line(1.4)} />
    </>
  ),
  skipped: <path d="M1.5 6h9" {...line(1.7)} />,
  cancelled: <rect x="2.2" y="2.2" width="7.6" height="7.6" rx="1.2" {...line(1.5)} />,
};

/** The drawing alone: its word or time must stand beside it. */
export function StepGlyph({ look }: { look: StepLook }) {
  return (
    <svg
      className={`step-glyph step-glyph--${stepLooks[look].tone}`}
      viewBox="0 0 12 12"
      width="12"
      height="12"
      aria-hidden="true"
    >
      {drawings[look]}
    </svg>
  );
}
