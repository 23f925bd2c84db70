import { useIsPeer } from "../hub/use-peers.js";
import { PartyTile } from "../parts/party-tile.js";
import { ShownName, ShownText } from "../parts/shown-text.js";
import { useLookalike } from "../shell/use-lookalike.js";
import { PERSON } from "./pair.js";
import "./who.css";

/** An agent, or the person, by tile and name. */
function Who({ name, size = 18 }: { name: string; size?: 18 | 22 }) {
  const looksLike = useLookalike(name);
  const isPeer = useIsPeer(name);
  if (isPeer) return <PeerWho name={name} size={size} />;
  return (
    <span className="who">
      <PartyTile name={name} size={size} />
      <span className="who__name">
        {name === PERSON ? "you" : <ShownName name={name} looksLike={looksLike} />}
      </span>
    </span>
  );
}

/** Somebody on another hub: its tile is dashed, as it is not one of ours, and its hub stands behind its name. */
function PeerWho({ name, size }: { name: string; size: 18 | 22 }) {
  const at = name.indexOf("@");
  return (
    <span className="who who--peer" title={at === -1 ? "another hub" : `on the hub ${name.slice(at + 1)}`}>
      <PartyTile name={at === -1 ? name : name.slice(0, at)} size={size} />
      <span className="who__name">
        <ShownText text={at === -1 ? name : name.slice(0, at)} />
        {at !== -1 && (
          <span className="who__hub">
            <ShownText text={name.slice(at)} />
          </span>
        )}
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
