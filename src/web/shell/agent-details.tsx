import type { ReactNode } from "react";
import { useState } from "react";
import { useCanAct, useConnection } from "../hub/connection.js";
import type { HistoryMessage } from "../hub/history.js";
import { hub } from "../hub/hub.js";
import { useAgent, useAgentRow, useAgents, useShownStatus } from "../hub/use-agents.js";
import { useAgentMessages } from "../hub/use-history.js";
import { statusLooks } from "../parts/agent-status.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { Age, Ago } from "../parts/elapsed.js";
import { sayWhy } from "../parts/error-card.js";
import { Monogram } from "../parts/monogram.js";
import { sayCount } from "../parts/say-count.js";
import { ShownText } from "../parts/shown-text.js";
import { StatusLine } from "../parts/status-glyph.js";
import { sayClockSeconds, toMs } from "../parts/time.js";
import { showToast } from "../parts/toast-store.js";
import "./agent-details.css";
import { hrefOf } from "./places.js";

/** What is known of an agent, beside its page. */
export function AgentDetails({
  id,
  title = "Details",
  note,
  children,
}: {
  id: string;
  title?: string;
  note?: ReactNode;
  /** Further parts, above what ends it. */
  children?: ReactNode;
}) {
  const row = useAgentRow(id);
  const { data: agent } = useAgent(id);
  const status = useShownStatus(row);
  const heard = useConnection(({ connection }) =>
    connection.kind === "reconnecting" ? connection.lastUpdate : undefined,
  );
  if (row === undefined) return null;
  const { word, tone } = statusLooks[status];
  const isUnknown = status === "unknown" && heard !== undefined;
  return (
    <div className="details">
      <section className="details__part">
        <h2 className="details__title">
          {title}
          {note !== undefined && <span className="details__note">{note}</span>}
        </h2>
        <dl className="details__facts">
          <Fact name="Status">
            <span className={`details__status details__status--${tone}`}>
              {word} since {sayClockSeconds(isUnknown ? heard : toMs(row.since))}
            </span>
          </Fact>
          <Fact name="Evidence">
            {isUnknown ? (
              <>
                nothing was heard for <Age since={heard} />
              </>
            ) : (
              <ShownText text={row.evidence} />
            )}
          </Fact>
          {row.until !== undefined && <Fact name="Until">{sayClockSeconds(toMs(row.until))}</Fact>}
          {agent !== undefined && agent.permissions !== null && (
            <Fact name="Permissions">{agent.permissions}</Fact>
          )}
          {agent !== undefined && agent.tools !== null && agent.tools !== undefined && (
            <Fact name="Tools">{agent.tools}</Fact>
          )}
          {row.runtime !== undefined && (
            <Fact name="Runtime" title={row.runtimeReason}>
              {row.runtime}
            </Fact>
          )}
          {row.tmux !== undefined && (
            <Fact name="Pane" mono>
              {row.tmux.session} ({row.tmux.pane})
            </Fact>
          )}
          {row.model !== null && (
            <Fact name="Model">
              <ShownText text={row.model} />
            </Fact>
          )}
          {row.project !== null && (
            <Fact name="Folder" mono>
              <ShownText text={row.project} />
            </Fact>
          )}
          {agent !== undefined && agent.parent !== null && (
            <Fact name="Started by">
              <a href={hrefOf({ page: "agent", name: agent.parent })}>{agent.parent}</a>
            </Fact>
          )}
          <Fact name="Session" mono title={row.id}>
            {shorten(row.id)}
          </Fact>
          <Fact name="Last active">
            <Ago at={row.lastActive} />
          </Fact>
        </dl>
      </section>
      <InboxPart id={id} name={row.name} />
      <ChildrenPart name={row.name} />
      {children}
      {row.runtime !== undefined && <EndButtons name={row.name} />}
    </div>
  );
}

function Fact(props: { name: string; mono?: boolean; title?: string | undefined; children: ReactNode }) {
  return (
    <div className="details__fact" title={props.title}>
      <dt>{props.name}</dt>
      <dd className={props.mono === true ? "details__mono" : ""}>{props.children}</dd>
    </div>
  );
}

/** Mail that waits for it, the oldest first, as far as it is loaded: what is older may wait, too. */
function InboxPart({ id, name }: { id: string; name: string }) {
  const { messages, hasNextPage } = useAgentMessages(id);
  const waiting = messages.filter((message) => waitsFor(message, name)).toReversed();
  if (waiting.length === 0) return null;
  return (
    <section className="details__part">
      <h3 className="details__head">
        Inbox <span className="details__count">{sayCount(waiting.length, hasNextPage)}</span>
      </h3>
      <ul className="details__list">
        {waiting.slice(0, MOST_SHOWN).map((message) => (
          <li key={message.seq}>
            <a className="details__row" href={hrefOf({ page: "message", id: message.id })}>
              <Monogram name={message.from} size={18} />
              <span className="details__text">
                <ShownText text={message.content.slice(0, 120)} />
              </span>
              <span className="details__state">
                {message.deliveries[0]?.state === "held" ? "held" : "queued"}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const MOST_SHOWN = 5;

function waitsFor({ deliveries, from }: HistoryMessage, name: string): boolean {
  const own = deliveries.find(({ to }) => to === name);
  return from !== name && (own?.state === "accepted" || own?.state === "held");
}

/** Those that it started. */
function ChildrenPart({ name }: { name: string }) {
  const children = useAgents().filter((row) => row.parent === name);
  if (children.length === 0) return null;
  return (
    <section className="details__part">
      <h3 className="details__head">
        Children <span className="details__count">{children.length}</span>
      </h3>
      <ul className="details__list">
        {children.map((child) => (
          <ChildRow key={child.id} id={child.id} />
        ))}
      </ul>
    </section>
  );
}

function ChildRow({ id }: { id: string }) {
  const row = useAgentRow(id);
  const status = useShownStatus(row);
  if (row === undefined) return null;
  return (
    <li>
      <a className="details__row" href={hrefOf({ page: "agent", name: row.name })}>
        <Monogram name={row.name} size={18} />
        <span className="details__text">{row.name}</span>
        <StatusLine status={status} since={toMs(row.since)} />
      </a>
    </li>
  );
}

type Ending = "shutdown" | "kill";

/** Both ask first: neither can be undone. */
function EndButtons({ name }: { name: string }) {
  const [asks, setAsks] = useState<Ending>();
  const canAct = useCanAct();
  const end = async (how: Ending) => {
    setAsks(undefined);
    try {
      if (how === "kill") await hub.kill(name);
      else await hub.shutdown(name, {}, { timeoutMs: 40_000 });
      showToast({
        tone: "done",
        title: how === "kill" ? `${name} was killed` : `${name} ends after its turn`,
      });
    } catch (error) {
      showToast({ tone: "failed", title: `${name} was not ended`, text: sayWhy(error) });
    }
  };
  return (
    <div className="details__end">
      <Button disabled={!canAct} onClick={() => setAsks("shutdown")}>
        Shut down
      </Button>
      <Button kind="danger" disabled={!canAct} onClick={() => setAsks("kill")}>
        Kill
      </Button>
      {asks !== undefined && (
        <Dialog
          title={asks === "kill" ? `Kill ${name}?` : `Shut ${name} down?`}
          width={420}
          onClose={() => setAsks(undefined)}
          footer={
            <>
              <span className="details__spacer" />
              <Button kind="quiet" onClick={() => setAsks(undefined)}>
                Cancel
              </Button>
              <Button kind={asks === "kill" ? "danger" : "primary"} onClick={() => void end(asks)}>
                {asks === "kill" ? "Kill" : "Shut down"}
              </Button>
            </>
          }
        >
          <p className="dialog__body details__ask">
            {asks === "kill"
              ? "Its process and everything that it began end at once. Mail that it did not read fails, and the senders are told."
              : "It finishes the turn that it is in, and leaves. Mail that it did not read by then fails, and the senders are told."}
          </p>
        </Dialog>
      )}
    </div>
  );
}

function shorten(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 4)}…${id.slice(-4)}`;
}
