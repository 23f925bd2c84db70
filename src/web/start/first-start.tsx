import { Check, Plug, Plus, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useHealth } from "../hub/use-hub.js";
import { Button } from "../parts/button.js";
import { CommandLine } from "../parts/empty-state.js";
import { sayWhy } from "../parts/error-card.js";
import { ShownText } from "../parts/shown-text.js";
import { useTitle } from "../shell/page-title.js";
import { goTo } from "../shell/places.js";
import { connectCommand } from "./connect-command.js";
import "./first-start.css";
import { ThreeAgents } from "./three-agents.js";

/** Nobody is there yet: what will be here, and the ways to get it. */
export function FirstStart() {
  useTitle("");
  return (
    <div className="first-start">
      <ThreeAgents />
      <h1 className="first-start__title">No agents yet</h1>
      <p className="first-start__text">
        Every coding agent that joins gets a name and an inbox. They write to each other; you watch here, and
        step in when you want.
      </p>
      <div className="first-start__cards">
        <Card icon={<Plus size={16} />} title="Start an agent">
          <p className="start-card__text">
            The hub runs it in a folder you choose and asks you before it edits or runs anything.
          </p>
          <CommandLine command="huddle spawn ann -b codex" />
          <Button kind="primary" onClick={() => goTo({ page: "new-agent" })}>
            New agent…
          </Button>
        </Card>
        <Card icon={<Plug size={16} />} title="Connect your CLIs">
          <p className="start-card__text">
            A session that you start yourself joins once its CLI knows Huddle. For Claude Code, in Huddle’s
            folder:
          </p>
          <CommandLine command={connectCommand} />
          <p className="start-card__note">
            docs/connecting.md has the same for Codex, Gemini, Qwen, Droid, opencode and Copilot.
          </p>
        </Card>
      </div>
      <HubTicks />
    </div>
  );
}

function Card({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <section className="start-card">
      <span className="start-card__icon" aria-hidden="true">
        {icon}
      </span>
      <h2 className="start-card__title">{title}</h2>
      {children}
    </section>
  );
}

/** What is well with the hub, as it says itself. */
function HubTicks() {
  const { data, error } = useHealth();
  if (error !== null && data === undefined)
    return (
      <p className="first-start__ticks">
        <Tick isWell={false}>{sayWhy(error)}</Tick>
      </p>
    );
  if (data === undefined) return null;
  return (
    <p className="first-start__ticks">
      <Tick isWell>
        Hub {data.version} runs on {window.location.host}
      </Tick>
      {data.ok ? (
        <Tick isWell>Journal is on disk</Tick>
      ) : (
        <Tick isWell={false}>{data.error ?? "Something is wrong with the hub"}</Tick>
      )}
      <Tick isWell>{data.agents === 0 ? "Ready for the first agent" : `${data.agents} agents`}</Tick>
    </p>
  );
}

function Tick({ isWell, children }: { isWell: boolean; children: ReactNode }) {
  return (
    <span className={`tick ${isWell ? "tick--well" : "tick--wrong"}`}>
      {isWell ? <Check size={14} aria-hidden="true" /> : <TriangleAlert size={14} aria-hidden="true" />}
      {typeof children === "string" ? <ShownText text={children} /> : children}
    </span>
  );
}
