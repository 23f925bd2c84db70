import { useRunningSteps } from "../hub/use-work.js";
import { SegmentBar } from "../parts/segment-bar.js";

/** In the sidebar: how far what runs has come. */
export function WorkflowsAbout() {
  const running = useRunningSteps();
  if (running === undefined) return null;
  const { done, steps } = running;
  return (
    <span className="page-link__about figures">
      <SegmentBar width={28} segments={[{ tone: "green", part: steps === 0 ? 0 : done / steps }]} />
      <span>
        {done}/{steps}
        <span className="visually-hidden"> steps done</span>
      </span>
    </span>
  );
}
