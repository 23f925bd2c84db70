import { Settings2 } from "lucide-react";
import { Monogram } from "./monogram.js";
import "./party-tile.css";

/** Whoever takes part: an agent in its colour; the person and the hub, who are no agents, in theirs. A name stands beside it. */
export function PartyTile({ name, size = 18 }: { name: string; size?: 18 | 22 }) {
  if (name === "user" || name === "you")
    return (
      <span className={`monogram monogram--${size} party-tile--person`} aria-hidden="true">
        YOU
      </span>
    );
  if (name === "hub")
    return (
      <span className={`monogram monogram--${size} party-tile--hub`} aria-hidden="true">
        <Settings2 size={11} />
      </span>
    );
  return <Monogram name={name} size={size} />;
}
