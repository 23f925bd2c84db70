import { type CSSProperties, memo } from "react";
import { findAgentId, useAgentStore } from "../../hub/agent-store.js";
import { useShownStatus } from "../../hub/use-agents.js";
import { agentColorProps } from "../../parts/agent-color.js";
import { statusLooks } from "../../parts/agent-status.js";
import { PartyTile } from "../../parts/party-tile.js";
import { ShownText } from "../../parts/shown-text.js";
import { StatusGlyph } from "../../parts/status-glyph.js";
import { hrefOf } from "../../shell/places.js";
import { PERSON } from "../pair.js";

export const NODE_HEIGHT = 36;

/** Wide enough for its name, up to a limit. */
export function nodeWidth(name: string): number {
  return Math.min(190, (name === PERSON ? 50 : 76) + 7.4 * name.length);
}

/** An agent in the graph; it leads to its chat. */
export const GraphNode = memo(function GraphNode({ name, x, y }: { name: string; x: number; y: number }) {
  const style = { left: x, top: y, width: nodeWidth(name) };
  if (name === PERSON)
    return (
      <span className="graph-node graph-node--person" style={style}>
        <PartyTile name={name} />
        <span className="graph-node__name">you</span>
      </span>
    );
  if (name.includes("@")) return <PeerNode name={name} style={style} />;
  return (
    <a
      className="graph-node"
      style={style}
      href={hrefOf({ page: "agent", name })}
      tabIndex={-1}
      {...agentColorProps(name)}
    >
      <PartyTile name={name} />
      <span className="graph-node__name">
        <ShownText text={name} />
      </span>
      <NodeStatus name={name} />
    </a>
  );
});

/** Somebody on another hub has no chat here. */
function PeerNode({ name, style }: { name: string; style: CSSProperties }) {
  const at = name.indexOf("@");
  return (
    <span className="graph-node graph-node--peer" style={style} {...agentColorProps(name.slice(0, at))}>
      <PartyTile name={name.slice(0, at)} />
      <span className="graph-node__name">
        <ShownText text={name.slice(0, at)} />
        <span className="who__hub">
          <ShownText text={name.slice(at)} />
        </span>
      </span>
    </span>
  );
}

function NodeStatus({ name }: { name: string }) {
  const row = useAgentStore((agents) => agents.byId.get(findAgentId(agents, name) ?? ""));
  const status = useShownStatus(row);
  if (row === undefined) return null;
  return (
    <span className="graph-node__status" title={statusLooks[status].word}>
      <StatusGlyph status={status} />
      <span className="visually-hidden">{statusLooks[status].word}</span>
    </span>
  );
}
