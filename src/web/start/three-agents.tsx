import type { AgentColor } from "../parts/agent-color.js";

/** Three that write to each other. */
export function ThreeAgents() {
  return (
    <svg className="three-agents" viewBox="0 0 186 62" width="186" height="62" aria-hidden="true">
      <path className="three-agents__line" d="M34 34 C48 14 60 12 76 12" />
      <path className="three-agents__line" d="M110 12 C126 12 140 14 152 34" />
      <path className="three-agents__line" d="M34 46 H152" />
      <Tile color="purple" x={1} y={30} />
      <Tile color="orange" x={77} y={1} />
      <Tile color="teal" x={153} y={30} />
    </svg>
  );
}

function Tile({ color, x, y }: { color: AgentColor["name"]; x: number; y: number }) {
  return (
    <g data-agent-color={color} transform={`translate(${x} ${y})`}>
      <rect className="three-agents__tile" width="32" height="28" rx="7" />
      <rect className="three-agents__bar" x="1" y="4" width="3" height="20" rx="1.5" />
      <path className="three-agents__words" d="M10 11h13M10 17h8" />
    </g>
  );
}
