import { PartyTile } from "../parts/party-tile.js";
import { ShownName } from "../parts/shown-text.js";
import { useLookalike } from "../shell/use-lookalike.js";
import { PERSON } from "./pair.js";
import "./who.css";

/** An agent, or the person, by tile and name. */
function Who({ name, size = 18 }: { name: string; size?: 18 | 22 }) {
  const looksLike = useLookalike(name);
  return (
    <span className="who">
      <PartyTile name={name} size={size} />
      <span className="who__name">
        {name === PERSON ? "you" : <ShownName name={name} looksLike={looksLike} />}
      </span>
    </span>
  );
}

/** Who writes to whom. */
export function WhoToWhom({ from, to }: { from: string; to: string }) {
  return (
    <span className="who-to-whom">
      <Who name={from} />
      <span className="who-to-whom__arrow" aria-hidden="true">
        →
      </span>
      <span className="visually-hidden"> to </span>
      <Who name={to} />
    </span>
  );
}
