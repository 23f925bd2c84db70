import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { AgentRow } from "../../hub/agent-store.js";
import { useCanAct } from "../../hub/connection.js";
import { hub } from "../../hub/hub.js";
import { useAgent, useShownStatus } from "../../hub/use-agents.js";
import { statusLooks } from "../../parts/agent-status.js";
import { Button } from "../../parts/button.js";
import { Remaining } from "../../parts/elapsed.js";
import { Monogram } from "../../parts/monogram.js";
import { ShownText } from "../../parts/shown-text.js";
import { sayClockSeconds, toMs } from "../../parts/time.js";
import { useNow } from "../../parts/use-now.js";
import { AskKill, AskShutdown } from "../agent-acts.js";
import { shortSession } from "../bubble/bubble-head.js";
import { deliveryTo, type Mail } from "../bubble/mail.js";
import { isFrom } from "../bubble/message-kind.js";
import { shortFolder } from "../chat-header.js";
import { firstWords } from "../turn/sent-line.js";
import { countTraffic } from "./traffic.js";
import "./details-panel.css";

type Props = { agent: AgentRow; mail: readonly Mail[]; turnCount: number | undefined };

/** What is known of an agent besides what it says. */
export function DetailsPanel({ agent, mail, turnCount }: Props) {
  const status = useShownStatus(agent);
  const { data } = useAgent(agent.id);
  const [asks, setAsks] = useState<"kill" | "shutdown">();
  const canAct = useCanAct();
  const close = () => setAsks(undefined);
  const waiting = mail.filter((one) => isWaiting(one, agent));
  return (
    <section className="details" aria-label="Details">
      <header className="details__head">
        <h2>Details</h2>
        {turnCount === undefined ? null : (
          <span>
            {turnCount} turn{turnCount === 1 ? "" : "s"}
          </span>
        )}
      </header>
      <dl className="details__facts">
        <Fact name="Status">
          {statusLooks[status].word} since {sayClockSeconds(toMs(agent.since))}
        </Fact>
        <Fact name="Evidence">
          <ShownText text={agent.evidence} />
        </Fact>
        {data?.permissions == null ? null : <Fact name="Permissions">{data.permissions}</Fact>}
        {agent.tmux === undefined ? null : (
          <Fact name="Pane">
            <code>
              {agent.tmux.session} ({agent.tmux.pane})
            </code>
          </Fact>
        )}
        <Fact name="Session">
          <code title={agent.id}>{shortSession(agent.id)}</code>
        </Fact>
        {agent.project === null ? null : (
          <Fact name="Folder">
            <code title={agent.project}>{shortFolder(agent.project)}</code>
          </Fact>
        )}
        {data?.parent == null ? null : <Fact name="Spawned by">{data.parent}</Fact>}
        {agent.team === "main" ? null : <Fact name="Team">{agent.team}</Fact>}
      </dl>
      <Traffic mail={mail} agent={agent} />
      {agent.tmux === undefined ? null : <Typed mail={mail} agent={agent} />}
      {waiting.length === 0 ? null : (
        <Section title="Inbox" count={waiting.length}>
          {waiting.slice(0, 8).map(({ message, deliveries }) => (
            <li key={message.seq} className="details__row">
              <Monogram name={message.from} size={18} />
              <span className="details__text">{firstWords(message.content)}</span>
              <span className="details__end">{deliveries[0]?.state === "held" ? "held" : "queued"}</span>
            </li>
          ))}
        </Section>
      )}
      <Requests agent={agent} />
      <footer className="details__acts">
        <Button disabled={!canAct} onClick={() => setAsks("shutdown")}>
          Shut down
        </Button>
        <Button
          kind="danger"
          disabled={!canAct || agent.runtime === undefined}
          onClick={() => setAsks("kill")}
        >
          Kill
        </Button>
      </footer>
      {asks === "kill" ? <AskKill agent={agent} onClose={close} /> : null}
      {asks === "shutdown" ? <AskShutdown agent={agent} onClose={close} /> : null}
    </section>
  );
}

/** To the agent, and not handed out yet. */
export function isWaiting(mail: Mail, agent: { id: string; name: string }): boolean {
  if (isFrom(mail.message, agent)) return false;
  const state = deliveryTo(mail, agent.name)?.state;
  return state === "accepted" || state === "held" || state === "offered";
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="details__fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Section({
  title,
  count,
  children,
}: {
  title: string;
  count?: number | string;
  children: ReactNode;
}) {
  return (
    <section className="details__section">
      <h3>
        {title} <span>{count}</span>
      </h3>
      <ul>{children}</ul>
    </section>
  );
}

function Traffic({ mail, agent }: { mail: readonly Mail[]; agent: AgentRow }) {
  const rows = countTraffic(mail, agent, useNow());
  if (rows.length === 0) return null;
  return (
    <Section title="Traffic, last minute">
      {rows.map(({ peer, direction, count }) => (
        <li key={`${direction} ${peer}`} className="details__row">
          <Monogram name={peer} size={18} />
          <span className="details__text">
            {direction === "to" ? "→" : "←"} <ShownText text={peer} />
          </span>
          <span className="details__end figures">{count}/min</span>
        </li>
      ))}
    </Section>
  );
}

/** What the hub typed into the pane, and whether a turn began with it. */
function Typed({ mail, agent }: { mail: readonly Mail[]; agent: AgentRow }) {
  const typed = mail
    .flatMap(({ message, deliveries }) => {
      const step = deliveries
        .find(({ to }) => to === agent.name)
        ?.steps.findLast(({ state }) => state === "injected");
      return step === undefined ? [] : [{ message, step }];
    })
    .slice(-5)
    .toReversed();
  if (typed.length === 0) return null;
  return (
    <Section title="Typed into this pane" count={typed.length}>
      {typed.map(({ message, step }) => (
        <li key={message.seq} className="details__typed">
          <code className="details__text">
            {message.from}: {firstWords(message.content)}
          </code>
          <span className="details__end">
            {sayClockSeconds(toMs(step.at))} ·{" "}
            {step.reason === "mixed" ? "mixed with what was typed" : "left the box, turn began"}
          </span>
        </li>
      ))}
    </Section>
  );
}

function Requests({ agent }: { agent: AgentRow }) {
  const { data } = useQuery({
    queryKey: ["requests", "of", agent.id],
    queryFn: ({ signal }) => hub.requests({}, { signal }),
    refetchInterval: 20_000,
  });
  const own = (data?.requests ?? []).filter(
    (request) =>
      (request.from === agent.name || request.claimed_by === agent.name) && request.status !== "answered",
  );
  if (own.length === 0) return null;
  return (
    <Section title="Requests" count={own.length}>
      {own.slice(0, 5).map((request) => (
        <li key={request.request_id} className="details__row">
          <span className="details__text">{firstWords(request.description)}</span>
          <span className="details__end">
            {request.status}
            {request.status === "open" ? (
              <>
                {" "}
                <Remaining until={toMs(request.timestamp) + request.timeout_seconds * 1000} />
              </>
            ) : null}
          </span>
        </li>
      ))}
    </Section>
  );
}
