import { Plus } from "lucide-react";
import type { AgentRow } from "../hub/agent-store.js";
import { useUnread } from "../hub/unread.js";
import { useAgentIds, useAgentRow, useShownStatus } from "../hub/use-agents.js";
import { Button } from "../parts/button.js";
import { Count } from "../parts/chip.js";
import { AgentBar, Monogram } from "../parts/monogram.js";
import { ShownText } from "../parts/shown-text.js";
import { StatusLine } from "../parts/status-glyph.js";
import { toMs } from "../parts/time.js";
import "./agents-page.css";
import { useTitle } from "./page-title.js";
import { goTo, hrefOf } from "./places.js";

/** The phone's sidebar. */
export function AgentsPage() {
  const ids = useAgentIds();
  useTitle("Agents");
  return (
    <div className="agents-page">
      <header className="agents-page__head">
        <h1 className="agents-page__title">Agents</h1>
        <span className="agents-page__count">{ids.length}</span>
        <Button kind="primary" icon={<Plus size={16} />} onClick={() => goTo({ page: "new-agent" })}>
          New
        </Button>
      </header>
      <ul className="agents-page__list">
        {ids.map((id) => (
          <li key={id}>
            <AgentCard id={id} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function AgentCard({ id }: { id: string }) {
  const row = useAgentRow(id);
  const status = useShownStatus(row);
  const unread = useUnread(id);
  if (row === undefined) return null;
  return (
    <a className="agent-card" href={hrefOf({ page: "agent", name: row.name })}>
      <AgentBar name={row.name} />
      <Monogram name={row.name} size={32} />
      <span className="agent-card__name">
        <ShownText text={row.label ?? row.name} />
      </span>
      <span className="agent-card__status">
        <StatusLine
          status={status}
          since={toMs(row.since)}
          until={row.until === undefined ? undefined : toMs(row.until)}
        />
      </span>
      <span className="agent-card__about">
        <ShownText text={sayAbout(row)} />
      </span>
      {unread > 0 && <Count value={unread} />}
    </a>
  );
}

/** What is most worth knowing of it in one line: why, where something is wrong; else what it is and where. */
function sayAbout({ state, evidence, backend, project }: AgentRow): string {
  if (
    state === "waiting" ||
    state === "stalled" ||
    state === "error" ||
    state === "dead" ||
    state === "limited"
  )
    return evidence;
  return [backend, project].filter((word) => word !== null).join(" · ");
}
