import { ChevronLeft, Square } from "lucide-react";
import type { AgentRow } from "../hub/agent-store.js";
import { useShownStatus } from "../hub/use-agents.js";
import { Button, IconButton } from "../parts/button.js";
import { Chip } from "../parts/chip.js";
import { Monogram } from "../parts/monogram.js";
import { ShownText } from "../parts/shown-text.js";
import { StatusLine } from "../parts/status-glyph.js";
import { toMs } from "../parts/time.js";
import { AgentMenu } from "./agent-menu.js";

type Props = {
  agent: AgentRow;
  role: string | undefined;
  hasLeft: boolean;
  onInterrupt: () => void;
  onBack: () => void;
};

/** Who it is, how it is, and what can be done with it. */
export function ChatHeader({ agent, role, hasLeft, onInterrupt, onBack }: Props) {
  const status = useShownStatus(agent);
  const canInterrupt =
    !hasLeft && agent.runtime !== undefined && ["busy", "waiting", "stalled"].includes(status);
  return (
    <header className="chat-header">
      <IconButton
        className="chat-header__back"
        label="Agents"
        icon={<ChevronLeft size={18} />}
        onClick={onBack}
      />
      <Monogram name={agent.name} size={32} />
      <div className="chat-header__who">
        <h1 className="chat-header__title">
          <span className="chat-header__name">
            <ShownText text={agent.label ?? agent.name} />
          </span>
          {hasLeft ? (
            <Chip>has left</Chip>
          ) : (
            <StatusLine
              status={status}
              since={toMs(agent.since)}
              until={agent.until === undefined ? undefined : toMs(agent.until)}
              title={agent.evidence}
            />
          )}
        </h1>
        <p className="chat-header__facts">{hasLeft ? <ShownText text={agent.id} /> : factsOf(agent, role)}</p>
      </div>
      {canInterrupt ? (
        <Button
          className="chat-header__interrupt"
          icon={<Square size={12} />}
          title="Write what it is to do instead: your message stops its turn"
          onClick={onInterrupt}
        >
          Interrupt
        </Button>
      ) : null}
      {hasLeft ? null : <AgentMenu agent={agent} />}
    </header>
  );
}

/** `claude-code · acp · ~/shop · opus 4.6 · orchestrator` */
function factsOf(agent: AgentRow, role: string | undefined) {
  const facts = [
    agent.label === null ? undefined : agent.name,
    agent.backend ?? undefined,
    agent.runtime ?? "attached",
    agent.project === null ? undefined : shortFolder(agent.project),
    agent.model ?? undefined,
    role === "orchestrator" ? role : undefined,
  ];
  return <ShownText text={facts.filter((fact) => fact !== undefined).join(" · ")} />;
}

/** The home folder, as people write it. Whose it is does not matter here. */
function shortFolder(path: string): string {
  return path.replace(/^\/(?:home|Users)\/[^/]+(?=\/|$)/, "~").replace(/^\/root(?=\/|$)/, "~");
}
