import { Ellipsis, Link, Pause, PenLine, Play, Power, Skull } from "lucide-react";
import { useRef, useState } from "react";
import type { AgentRow } from "../hub/agent-store.js";
import { useCanAct } from "../hub/connection.js";
import { IconButton } from "../parts/button.js";
import { Menu } from "../parts/menu.js";
import { showToast } from "../parts/toast-store.js";
import { AskKill, AskRename, AskShutdown, pauseAgent, resumeAgent } from "./agent-acts.js";
import { agentLink } from "./links.js";

/** What can be done with an agent besides writing to it. */
export function AgentMenu({ agent }: { agent: AgentRow }) {
  const [isOpen, setOpen] = useState(false);
  const [asks, setAsks] = useState<"kill" | "shutdown" | "rename">();
  const button = useRef<HTMLButtonElement>(null);
  const canAct = useCanAct();
  const isHosted = agent.runtime !== undefined;
  const close = () => setAsks(undefined);
  return (
    <>
      <IconButton
        ref={button}
        label={`More about ${agent.name}`}
        icon={<Ellipsis size={16} />}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen ? (
        <Menu
          label={`Agent ${agent.name}`}
          anchor={button}
          onClose={() => setOpen(false)}
          items={[
            agent.paused === true
              ? {
                  label: "Resume",
                  icon: <Play size={14} />,
                  off: !canAct,
                  act: () => void resumeAgent(agent),
                }
              : {
                  label: "Pause",
                  icon: <Pause size={14} />,
                  off: !canAct,
                  act: () => void pauseAgent(agent),
                },
            { label: "Rename…", icon: <PenLine size={14} />, off: !canAct, act: () => setAsks("rename") },
            { label: "Copy link", icon: <Link size={14} />, act: () => void copyLink(agent) },
            { label: "Shut down…", icon: <Power size={14} />, off: !canAct, act: () => setAsks("shutdown") },
            {
              label: "Kill…",
              icon: <Skull size={14} />,
              danger: true,
              off: !canAct || !isHosted,
              act: () => setAsks("kill"),
            },
          ]}
        />
      ) : null}
      {asks === "kill" ? <AskKill agent={agent} onClose={close} /> : null}
      {asks === "shutdown" ? <AskShutdown agent={agent} onClose={close} /> : null}
      {asks === "rename" ? <AskRename agent={agent} onClose={close} /> : null}
    </>
  );
}

async function copyLink(agent: AgentRow): Promise<void> {
  await navigator.clipboard.writeText(agentLink(agent.name));
  showToast({ tone: "done", title: "Link copied", text: agentLink(agent.name) });
}
