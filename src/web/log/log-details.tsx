import { Copy, Link, MessagesSquare, SquareArrowOutUpRight, X } from "lucide-react";
import type { ReactNode } from "react";
import { FoldedText } from "../chat/bubble/folded-text.js";
import { ReceiptLadder } from "../chat/bubble/receipt-ladder.js";
import "../chat/bubble/receipt-line.css";
import { messageLink } from "../chat/links.js";
import type { HistoryMessage } from "../hub/history.js";
import { useMessage } from "../hub/use-history.js";
import { Button, IconButton } from "../parts/button.js";
import { copyText } from "../parts/copy-text.js";
import { ShownText } from "../parts/shown-text.js";
import { sayClockMs, toMs } from "../parts/time.js";
import { hrefOf } from "../shell/places.js";
import "../shell/agent-details.css";
import "./log-details.css";
import { PartyTile } from "../parts/party-tile.js";
import type { LogRow, TurnHit } from "./log-rows.js";
import { partyWord } from "./party-word.js";

type Props = { row: LogRow; onThread: (message: HistoryMessage) => void; onClose: (() => void) | undefined };

/** All of one row: what it says, the way that it came, and what it belongs to. */
export function LogDetails({ row, onThread, onClose }: Props) {
  return row.kind === "turn" ? (
    <TurnDetails turn={row.turn} onClose={onClose} />
  ) : (
    <MessageDetails message={row.message} onThread={onThread} onClose={onClose} />
  );
}

function MessageDetails({ message, onThread, onClose }: Omit<Props, "row"> & { message: HistoryMessage }) {
  // A row has at most twenty deliveries; its own receipt has all.
  const { data } = useMessage(message.recipients > message.deliveries.length ? message.id : undefined);
  const deliveries = data?.deliveries ?? message.deliveries;
  return (
    <div className="log-details">
      <Head name={message.from} onClose={onClose}>
        <strong>
          <ShownText text={partyWord(message.from)} />
        </strong>{" "}
        to{" "}
        <strong>
          <ShownText text={partyWord(message.to)} />
        </strong>
        <span className="log-details__meta figures">
          {sayClockMs(toMs(message.timestamp))} · {message.type} · #{saySeq(message.seq)}
        </span>
      </Head>
      <div className="log-details__part">
        <div className="log-details__text">
          <FoldedText text={message.content} />
        </div>
        {message.context !== undefined && (
          <p className="log-details__context">
            <ShownText text={message.context} />
          </p>
        )}
        <div className="log-details__acts">
          <a className="button button--rest button--24" href={hrefOf({ page: "message", id: message.id })}>
            <SquareArrowOutUpRight size={12} aria-hidden="true" /> Chat
          </a>
          <Button size={24} icon={<MessagesSquare size={12} />} onClick={() => onThread(message)}>
            Thread
          </Button>
          <Button
            size={24}
            icon={<Link size={12} />}
            onClick={() => copyText(messageLink(message.id), "Link copied")}
          >
            Link
          </Button>
          <Button
            size={24}
            icon={<Copy size={12} />}
            onClick={() => copyText(message.content, "Message copied")}
          >
            Copy
          </Button>
        </div>
      </div>
      <div className="log-details__part">
        <h2 className="log-details__head">Way of the message</h2>
        <ReceiptLadder mail={{ message, deliveries, recipients: message.recipients }} />
      </div>
      <dl className="log-details__part details__facts">
        <Fact name="Conversation">
          <a href={hrefOf({ page: "network", id: message.conversation })}>
            <code>{shortId(message.conversation)}</code>
          </a>
          , hop {message.hop}
        </Fact>
        {message.reply_to !== undefined && (
          <Fact name="Answers">
            <a href={hrefOf({ page: "message", id: message.reply_to })}>
              <code>
                <ShownText text={shortId(message.reply_to)} />
              </code>
            </a>
          </Fact>
        )}
        {message.request_id !== undefined && (
          <Fact name="Request">
            <a href={hrefOf({ page: "requests", id: message.request_id })}>
              <code>{shortId(message.request_id)}</code>
            </a>
          </Fact>
        )}
        <Fact name="Attention">{message.attention}</Fact>
        <Fact name="Source">
          {message.source}
          {message.applet === undefined ? "" : `, ${message.applet}`}
        </Fact>
        <Fact name="Trust">{message.trust}</Fact>
        {message.notice !== undefined && <Fact name="Notice">{message.notice}</Fact>}
        <Fact name="Id">
          <code title={message.id}>
            <ShownText text={shortId(message.id)} />
          </code>
        </Fact>
      </dl>
    </div>
  );
}

function TurnDetails({ turn, onClose }: { turn: TurnHit; onClose: (() => void) | undefined }) {
  return (
    <div className="log-details">
      <Head name={turn.agent} onClose={onClose}>
        <strong>
          <ShownText text={turn.agent} />
        </strong>{" "}
        worked
        <span className="log-details__meta figures">
          {sayClockMs(toMs(turn.ended ?? turn.started))} · turn · {turn.stop ?? "open"}
        </span>
      </Head>
      <div className="log-details__part">
        <div className="log-details__text">
          <FoldedText text={turn.excerpt} />
        </div>
        <div className="log-details__acts">
          <a className="button button--rest button--24" href={hrefOf({ page: "agent", name: turn.agent })}>
            <SquareArrowOutUpRight size={12} aria-hidden="true" /> Chat
          </a>
        </div>
      </div>
      <dl className="log-details__part details__facts">
        {turn.messages.map((id) => (
          <Fact key={id} name="Told">
            <a href={hrefOf({ page: "message", id })}>
              <code>
                <ShownText text={shortId(id)} />
              </code>
            </a>
          </Fact>
        ))}
        <Fact name="Turn">
          <code>{shortId(turn.turn)}</code>
        </Fact>
      </dl>
    </div>
  );
}

function Head(props: { name: string; onClose: (() => void) | undefined; children: ReactNode }) {
  return (
    <header className="log-details__who">
      <PartyTile name={props.name} />
      <p className="log-details__names">{props.children}</p>
      {props.onClose !== undefined && (
        <IconButton label="Close (Esc)" icon={<X size={16} />} onClick={props.onClose} />
      )}
    </header>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="details__fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function shortId(id: string): string {
  return id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

function saySeq(seq: number): string {
  return String(seq).replace(/\B(?=(\d{3})+$)/g, " ");
}
