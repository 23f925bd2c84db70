import { useQuery } from "@tanstack/react-query";
import type { AgentRow } from "../../hub/agent-store.js";
import { hub } from "../../hub/hub.js";
import { isNearCap } from "../../network/pair.js";
import { usePairs } from "../../network/use-network.js";
import { Remaining } from "../../parts/elapsed.js";
import { PartyTile } from "../../parts/party-tile.js";
import { ShownText } from "../../parts/shown-text.js";
import { sayClockSeconds, toMs } from "../../parts/time.js";
import { AgentDetails } from "../../shell/agent-details.js";
import { hrefOf } from "../../shell/places.js";
import type { Mail } from "../bubble/mail.js";
import { firstWords } from "../turn/sent-line.js";
import { sayTraffic, trafficOf } from "./traffic.js";
import "./chat-details.css";

type Props = { agent: AgentRow; mail: readonly Mail[]; turnCount: number | undefined };

/** What is known of an agent besides what it says, with what its mail tells. */
export function ChatDetails({ agent, mail, turnCount }: Props) {
  const turns = turnCount === undefined ? undefined : `${turnCount} turn${turnCount === 1 ? "" : "s"}`;
  return (
    <AgentDetails id={agent.id} note={turns}>
      {agent.tmux === undefined ? null : <Typed mail={mail} agent={agent} />}
      <Traffic agent={agent} />
      <Requests agent={agent} />
    </AgentDetails>
  );
}

type PartProps = { mail: readonly Mail[]; agent: AgentRow };

function Traffic({ agent }: { agent: AgentRow }) {
  const { data } = usePairs();
  const rows = trafficOf(agent.name, data?.pairs ?? []);
  if (rows.length === 0) return null;
  return (
    <section className="details__part">
      <h3 className="details__head">
        Traffic
        <a className="details__count" href={hrefOf({ page: "network" })}>
          Network
        </a>
      </h3>
      <ul className="details__list">
        {rows.map(({ peer, direction, pair }) => (
          <li key={`${direction} ${peer}`} className="details__row">
            <PartyTile name={peer} />
            <span className="details__text">
              <span aria-hidden="true">{direction === "to" ? "→" : "←"}</span>
              <span className="visually-hidden">{direction}</span> <ShownText text={peer} />
            </span>
            <span className={`details__state figures ${isNearCap(pair) ? "pair__near" : ""}`}>
              {sayTraffic(pair)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the hub typed into the pane, newest first. */
function Typed({ mail, agent }: PartProps) {
  const typed = mail
    .flatMap(({ message, deliveries }) => {
      const own = deliveries.find(({ to }) => to === agent.name);
      const step = own?.steps.findLast(({ state }) => state === "injected");
      return step === undefined ? [] : [{ message, step }];
    })
    .slice(-5)
    .toReversed();
  if (typed.length === 0) return null;
  return (
    <section className="details__part">
      <h3 className="details__head">
        Typed into this pane <span className="details__count">{typed.length}</span>
      </h3>
      <ul className="details__list">
        {typed.map(({ message, step }) => (
          <li key={message.seq} className="typed-line">
            <a className="typed-line__text" href={hrefOf({ page: "message", id: message.id })}>
              {message.from}: {firstWords(message.content)}
            </a>
            <span className="details__state">
              {sayClockSeconds(toMs(step.at))} ·{" "}
              {step.reason === "mixed" ? "sent together with what was typed" : "left the box, turn began"}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Requests({ agent }: { agent: AgentRow }) {
  const { data } = useQuery({
    queryKey: ["requests", "of", agent.id],
    queryFn: ({ signal }) => hub.requests({}, { signal }),
    refetchInterval: 20_000,
  });
  const own = (data?.requests ?? []).filter(
    ({ from, claimed_by, status }) =>
      (from === agent.name || claimed_by === agent.name) && (status === "open" || status === "claimed"),
  );
  if (own.length === 0) return null;
  return (
    <section className="details__part">
      <h3 className="details__head">
        Requests <span className="details__count">{own.length}</span>
      </h3>
      <ul className="details__list">
        {own.slice(0, 5).map((request) => (
          <li key={request.request_id}>
            <a className="details__row" href={hrefOf({ page: "requests", id: request.request_id })}>
              <span className="details__text">{firstWords(request.description)}</span>
              <span className="details__state">
                {request.status}{" "}
                {request.status === "open" ? (
                  <Remaining until={toMs(request.timestamp) + request.timeout_seconds * 1000} />
                ) : null}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
