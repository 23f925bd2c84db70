import { Plus } from "lucide-react";
import { useAgentIds, useAgentsReady } from "../hub/use-agents.js";
import { useHealth } from "../hub/use-hub.js";
import { IconButton } from "../parts/button.js";
import { Skeleton } from "../parts/skeleton.js";
import { AgentLink } from "./agent-link.js";
import { navPages } from "./nav-pages.js";
import { PageLink } from "./page-link.js";
import { goTo, type Place } from "./places.js";
import "./sidebar.css";

export function Sidebar({ place, agentId }: { place: Place; agentId: string | undefined }) {
  return (
    <nav className="sidebar" aria-label="Agents and pages">
      <div className="sidebar__head">
        <h2 className="sidebar__title">Agents</h2>
        <IconButton
          className="sidebar__add"
          label="New agent"
          icon={<Plus size={16} />}
          onClick={() => goTo({ page: "new-agent" })}
        />
      </div>
      <AgentList chosen={agentId} />
      <ul className="sidebar__pages">
        {navPages.map((page) => (
          <li key={page.name}>
            <PageLink page={page} isChosen={page.place.page === place.page} />
          </li>
        ))}
      </ul>
      <HubLine />
    </nav>
  );
}

function AgentList({ chosen }: { chosen: string | undefined }) {
  const ids = useAgentIds();
  const isReady = useAgentsReady();
  if (!isReady)
    return (
      <div className="sidebar__waiting">
        <Skeleton lines={5} label="Loading the agents" />
      </div>
    );
  if (ids.length === 0)
    return <p className="sidebar__nobody">None yet. They appear here as soon as they join.</p>;
  return (
    <ul className="sidebar__agents">
      {ids.map((id) => (
        <li key={id}>
          <AgentLink id={id} isChosen={id === chosen} />
        </li>
      ))}
    </ul>
  );
}

/** Which hub this is. */
function HubLine() {
  const { data } = useHealth();
  return (
    <div className="sidebar__hub">
      <code>{window.location.host}</code>
      {data !== undefined && <span>{data.version}</span>}
    </div>
  );
}
