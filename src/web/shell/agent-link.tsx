import { memo } from "react";
import { useUnread } from "../hub/unread.js";
import { useAgentRow, useShownStatus } from "../hub/use-agents.js";
import { statusLooks } from "../parts/agent-status.js";
import { Count } from "../parts/chip.js";
import { AgentBar, Monogram } from "../parts/monogram.js";
import { ShownName } from "../parts/shown-text.js";
import { StatusGlyph, StatusTime } from "../parts/status-glyph.js";
import { toMs } from "../parts/time.js";
import { hrefOf } from "./places.js";
import { useLookalike } from "./use-lookalike.js";

/** An agent in the sidebar. Its columns never shift: unread, glyph and time have their places. */
export const AgentLink = memo(function AgentLink({ id, isChosen }: { id: string; isChosen: boolean }) {
  const row = useAgentRow(id);
  const status = useShownStatus(row);
  const unread = useUnread(id);
  const looksLike = useLookalike(row?.name);
  if (row === undefined) return null;
  const { word, short, tone } = statusLooks[status];
  const isAway = status === "offline" || status === "dead";
  return (
    <a
      className={`agent-link ${isAway ? "agent-link--away" : ""}`}
      href={hrefOf({ page: "agent", name: row.name })}
      aria-current={isChosen ? "page" : undefined}
      title={`${row.label ?? row.name}: ${word}. ${row.evidence}`}
    >
      <AgentBar name={row.name} />
      <Monogram name={row.name} />
      <span className="agent-link__name">
        <ShownName name={row.label ?? row.name} looksLike={looksLike} />
      </span>
      {unread > 0 && (
        <span className="agent-link__unread">
          <Count value={unread} />
          <span className="visually-hidden"> unread</span>
        </span>
      )}
      <span className={`agent-link__glyph agent-link__time--${tone}`}>
        <StatusGlyph status={status} />
        <span className="visually-hidden">{word}</span>
      </span>
      <span className={`agent-link__time agent-link__time--${tone}`}>
        {short ?? (
          <StatusTime
            status={status}
            since={toMs(row.since)}
            until={row.until === undefined ? undefined : toMs(row.until)}
          />
        )}
      </span>
    </a>
  );
});
