import { ArrowRight, Bell, RotateCcw } from "lucide-react";
import { memo } from "react";
import { useAgentId, useAgentRow, useShownStatus } from "../hub/use-agents.js";
import { statusLooks } from "../parts/agent-status.js";
import { Chip } from "../parts/chip.js";
import { Elapsed } from "../parts/elapsed.js";
import { InlineCode } from "../parts/inline-code.js";
import { PartyTile } from "../parts/party-tile.js";
import { ShownText } from "../parts/shown-text.js";
import { StatusGlyph } from "../parts/status-glyph.js";
import { sayClock, sayWhen, toMs } from "../parts/time.js";
import { DoneMark } from "./done-mark.js";
import { nameOf, sayAnswered, sayClaimed, shortId, splitDescription } from "./request-words.js";
import "./request-card.css";
import { TimeLeft } from "./time-left.js";
import type { ShownRequest } from "./use-requests.js";

type Props = {
  request: ShownRequest;
  isChosen: boolean;
  /** The one that Tab goes to; the others are reached by j, k, h and l. */
  isReached: boolean;
  onOpen: (id: string) => void;
};

/** A call for help on the board. */
export const RequestCard = memo(
  function RequestCard({ request, isChosen, isReached, onOpen }: Props) {
    const { title, more } = splitDescription(request);
    return (
      <li>
        <button
          type="button"
          className="request-card"
          data-request={request.request_id}
          data-status={request.status}
          aria-current={isChosen ? "true" : undefined}
          tabIndex={isReached ? 0 : -1}
          onClick={() => onOpen(request.request_id)}
        >
          <span className="request-card__who">
            <Way request={request} />
            <span className="request-card__aside">
              {request.status === "claimed" ? (
                <ClaimerStatus name={request.claimed_by} />
              ) : request.status === "answered" ? null : (
                <code className="request-card__id">{shortId(request.request_id)}</code>
              )}
            </span>
          </span>
          <span className="request-card__title">
            <InlineCode text={title} />
          </span>
          {request.status === "answered"
            ? request.answer_text !== undefined && (
                <span className="request-card__more">
                  “<ShownText text={request.answer_text} />”
                </span>
              )
            : more !== "" && (
                <span className="request-card__more">
                  <InlineCode text={more} />
                </span>
              )}
          <span className="request-card__foot figures">
            <Foot request={request} />
          </span>
        </button>
      </li>
    );
  },
  (before, after) =>
    before.isChosen === after.isChosen &&
    before.isReached === after.isReached &&
    before.onOpen === after.onOpen &&
    (before.request === after.request || JSON.stringify(before.request) === JSON.stringify(after.request)),
);

/** Who asked, and who has it. */
export function Way({ request }: { request: ShownRequest }) {
  const { from, claimed_by } = request;
  return (
    <span className="request-way">
      <PartyTile name={from} />
      <span className="request-way__name">
        <ShownText text={nameOf(from)} />
      </span>
      <ArrowRight size={12} aria-label="to" className="request-way__arrow" />
      {claimed_by === undefined ? (
        <span className="request-way__anybody">anybody</span>
      ) : (
        <>
          <PartyTile name={claimed_by} />
          <span className="request-way__name">
            <ShownText text={nameOf(claimed_by)} />
          </span>
        </>
      )}
    </span>
  );
}

function ClaimerStatus({ name }: { name: string | undefined }) {
  const row = useAgentRow(useAgentId(name));
  const status = useShownStatus(row);
  if (row === undefined) return null;
  return (
    <span title={statusLooks[status].word}>
      <StatusGlyph status={status} />
      <span className="visually-hidden">{statusLooks[status].word}</span>
    </span>
  );
}

function Foot({ request }: { request: ShownRequest }) {
  const { status, reopened_at, reopened_from, claimed_at, answered_at, timestamp, nudges } = request;
  switch (status) {
    case "open":
      return (
        <>
          <TimeLeft request={request} />
          {nudges > 0 && (
            <Chip icon={<Bell size={12} />}>{nudges === 1 ? "nudged once" : `nudged ${nudges} times`}</Chip>
          )}
        </>
      );
    case "claimed":
      return (
        <>
          {reopened_at === undefined ? (
            <span>{sayClaimed(request)}</span>
          ) : (
            <span className="request-card__again">
              <RotateCcw size={12} aria-hidden="true" /> was open again at {sayClock(toMs(reopened_at))},{" "}
              <ShownText text={reopened_from ?? "its claimer"} /> left
            </span>
          )}
          <span className="request-card__end">
            in work <Elapsed since={toMs(claimed_at ?? timestamp)} />
          </span>
        </>
      );
    case "answered":
      return (
        <>
          <DoneMark />
          <span>{sayAnswered(request)}</span>
          <span className="request-card__end">{sayWhen(toMs(answered_at ?? timestamp), Date.now())}</span>
        </>
      );
    case "expired":
      return (
        <>
          <span className="request-card__expired">nobody claimed it in time</span>
          <span className="request-card__end">{sayWhen(toMs(timestamp), Date.now())}</span>
        </>
      );
  }
}
