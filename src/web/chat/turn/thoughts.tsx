import { Check, ChevronDown, ChevronRight, Circle, CircleDot } from "lucide-react";
import { useState } from "react";
import { ShownText } from "../../parts/shown-text.js";
import { MarkdownText } from "../markdown/markdown-text.js";
import type { TurnShown } from "./turn-shown.js";

/** What it thought, folded: long, and seldom what one looks for. */
export function Thoughts({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const lines = text.trim().split("\n").length;
  return (
    <div className="thoughts">
      <button
        type="button"
        className="thoughts__head"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? (
          <ChevronDown size={12} aria-hidden="true" />
        ) : (
          <ChevronRight size={12} aria-hidden="true" />
        )}
        Thoughts{" "}
        <span className="thoughts__size">
          {lines} line{lines === 1 ? "" : "s"}
        </span>
      </button>
      {isOpen ? (
        <div className="thoughts__text">
          <MarkdownText text={text} />
        </div>
      ) : null}
    </div>
  );
}

/** What it means to do, as it said last. */
export function Plan({ entries }: { entries: TurnShown["plan"] }) {
  const done = entries.filter(({ status }) => status === "completed").length;
  return (
    <div className="plan">
      <p className="plan__head">
        Plan {done}/{entries.length}
      </p>
      <ol className="plan__list">
        {entries.map(({ text, status }, at) => (
          <li key={at} className={`plan__entry plan__entry--${status}`}>
            <PlanMark status={status} />
            <span>
              <ShownText text={text} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function PlanMark({ status }: { status: string }) {
  if (status === "completed") return <Check size={13} role="img" aria-label="done" />;
  if (status === "in_progress") return <CircleDot size={13} role="img" aria-label="in progress" />;
  return <Circle size={13} role="img" aria-label="to do" />;
}
