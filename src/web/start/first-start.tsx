import { Check, FlaskConical, Plug, Plus, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useHealth } from "../hub/use-hub.js";
import { Button } from "../parts/button.js";
import { CommandLine } from "../parts/empty-state.js";
import { sayWhy } from "../parts/error-card.js";
import { InlineCode } from "../parts/inline-code.js";
import { ShownText } from "../parts/shown-text.js";
import { useTitle } from "../shell/page-title.js";
import { goTo } from "../shell/places.js";
import "./first-start.css";
import { FoundClis } from "./found-clis.js";
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
        <Card icon={<FlaskConical size={16} />} title="See it work">
          <p className="start-card__text">
            Scripted agents join, write to each other, hit the cooldown and ask you for a permission. No
            account, no network; 30 seconds, on a hub of their own.
          </p>
          <CommandLine command="huddle demo" />
        </Card>
        <Card icon={<Plug size={16} />} title="Connect your CLIs">
          <p className="start-card__text">
            <FoundClis /> Huddle shows the change to each configuration before it writes.
          </p>
          <CommandLine command="huddle connect" />
        </Card>
        <Card icon={<Plus size={16} />} title="Start an agent">
          <p className="start-card__text">
            The hub runs it in a folder you choose and asks you before it edits or runs anything.
          </p>
          <CommandLine command="huddle spawn ann -b codex" />
          <Button kind="primary" onClick={() => goTo({ page: "new-agent" })}>
            New agent…
          </Button>
        </Card>
      </div>
      <p className="first-start__note">
        <InlineCode text="Is huddle not found? Run `npm install -g .` in Huddle’s folder." />
      </p>
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
