import "./monogram.css";
import { agentColorProps, monogramOf } from "./agent-color.js";

/** Who, in two letters of the agent's colour. The name stands beside it, so that it says nothing to a screen reader. */
export function Monogram({ name, size = 22 }: { name: string; size?: 18 | 22 | 32 | 36 }) {
  return (
    <span className={`monogram monogram--${size}`} aria-hidden="true" {...agentColorProps(name)}>
      {monogramOf(name)}
    </span>
  );
}

/** The bar at the edge of an agent's row. */
export function AgentBar({ name }: { name: string }) {
  return <span className="agent-bar" aria-hidden="true" {...agentColorProps(name)} />;
}
