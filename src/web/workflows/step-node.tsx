import { memo } from "react";
import { Monogram } from "../parts/monogram.js";
import { ShownText } from "../parts/shown-text.js";
import { StepGlyph } from "./step-glyph.js";
import { doerOf, hasBegun, lookOf, type Step, stepLooks } from "./step-look.js";
import { StepTime } from "./step-time.js";

type Props = {
  step: Step;
  place: { x: number; y: number } | undefined;
  isChosen: boolean;
  /** The one that Tab goes to; the others are reached by j and k. */
  isReached: boolean;
  onOpen: (step: string) => void;
};

/** A step in the graph. A workflow that was fetched again has new objects that say the same. */
export const StepNode = memo(
  function StepNode({ step, place, isChosen, isReached, onOpen }: Props) {
    const look = lookOf(step);
    const { word, tone } = stepLooks[look];
    const doer = doerOf(step);
    return (
      <li
        className="step-node__item"
        style={place === undefined ? undefined : { left: place.x, top: place.y }}
      >
        <button
          type="button"
          className={`step-node step-node--${look} ${hasBegun(step) ? "" : "step-node--not-begun"}`}
          data-step={step.name}
          aria-current={isChosen ? "step" : undefined}
          tabIndex={isReached ? 0 : -1}
          onClick={() => onOpen(step.name)}
        >
          <span className="step-node__row">
            <StepGlyph look={look} />
            <span className="step-node__name">{step.name}</span>
            <span className="step-node__time">
              <StepTime step={step} />
            </span>
          </span>
          <span className="step-node__row">
            {doer !== "" && <Monogram name={doer} size={18} />}
            <span className="step-node__doer">
              <ShownText text={doer === "" ? "nobody" : doer} />
            </span>
            {look !== "done" && (
              <span className={`step-node__word step-node__word--${tone}`}>
                {look === "waiting" ? "waits: you" : word}
              </span>
            )}
            {look === "done" && <span className="visually-hidden">done</span>}
          </span>
        </button>
      </li>
    );
  },
  (before, after) =>
    before.isChosen === after.isChosen &&
    before.isReached === after.isReached &&
    before.onOpen === after.onOpen &&
    before.place === after.place &&
    (before.step === after.step || JSON.stringify(before.step) === JSON.stringify(after.step)),
);
