import { memo } from "react";
import type { EdgeLook } from "./describe-edge.js";

type Props = Pick<EdgeLook, "width" | "tone" | "dash"> & {
  id: string;
  line: string;
  arrow: string;
  isSelected: boolean;
  isDimmed: boolean;
};

/** The line of a pair. */
export const GraphEdge = memo(function GraphEdge(props: Props) {
  const { id, line, arrow, width, tone, dash, isSelected, isDimmed } = props;
  const state = `${isSelected ? "edge--selected" : ""} ${isDimmed ? "edge--dimmed" : ""}`;
  return (
    <g className={`edge edge--${tone} edge--${dash} ${state}`} data-edge={id}>
      <path className="edge__reach" d={line} />
      {isSelected && <path className="edge__halo" d={line} strokeWidth={width + 8} />}
      <path className="edge__line" d={line} strokeWidth={width} />
      <path className="edge__arrow" d={arrow} />
    </g>
  );
});
