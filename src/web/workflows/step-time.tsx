import { Elapsed } from "../parts/elapsed.js";
import { sayElapsed, toMs } from "../parts/time.js";
import type { Step } from "./step-look.js";

/** How long it took, or takes so far; nothing of one that has not begun. */
export function StepTime({ step }: { step: Pick<Step, "started" | "ended"> }) {
  const { started, ended } = step;
  if (started === null) return null;
  if (ended === null) return <Elapsed since={toMs(started)} />;
  return <span className="figures">{sayElapsed(toMs(ended) - toMs(started))}</span>;
}
