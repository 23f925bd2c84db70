import { ArrowLeft, ArrowRight } from "lucide-react";
import { useRef } from "react";
import { Virtualizer } from "virtua";
import { EmptyState } from "../../parts/empty-state.js";
import { PartyTile } from "../../parts/party-tile.js";
import { ShownText } from "../../parts/shown-text.js";
import { sayWhen, toMs } from "../../parts/time.js";
import { useNow } from "../../parts/use-now.js";
import { deliveryTo, type Mail } from "../bubble/mail.js";
import { isFrom } from "../bubble/message-kind.js";
import { ReceiptLadder } from "../bubble/receipt-ladder.js";
import { ReceiptWords } from "../bubble/receipt-line.js";
import { useChat } from "../chat-context.js";
import { firstWords } from "../turn/sent-line.js";
import "./tabs.css";

type Props = { mail: readonly Mail[]; onOlder: (() => void) | undefined };

/** Everything that the agent got and sent, newest first, each in a line with its receipt. */
export function MailTab({ mail, onOlder }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const newest = mail.toReversed();
  if (newest.length === 0)
    return (
      <EmptyState title="No mail yet">
        What the agent gets and sends is listed here, with how far each message came.
      </EmptyState>
    );
  return (
    <div
      className="tab-scroll"
      ref={scroller}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (scrollHeight - scrollTop - clientHeight < 600) onOlder?.();
      }}
    >
      <Virtualizer scrollRef={scroller}>
        {newest.map((one) => (
          <MailRow key={`${one.message.seq}`} mail={one} />
        ))}
      </Virtualizer>
    </div>
  );
}

function MailRow({ mail }: { mail: Mail }) {
  const { own, isOpen, toggleLadder } = useChat();
  const now = useNow();
  const { message } = mail;
  const sent = isFrom(message, own);
  const isPerson = sent ? message.to === "user" : message.source === "user";
  const peer = isPerson ? "you" : sent ? message.to : (message.applet ?? message.from);
  const delivery = deliveryTo(mail, own.name);
  const open = isOpen(message.id);
  return (
    <div className="mail-row">
      <button
        type="button"
        className="tab-list__row"
        aria-expanded={open}
        onClick={() => toggleLadder(message.id)}
      >
        {sent ? (
          <ArrowRight size={13} role="img" aria-label="to" />
        ) : (
          <ArrowLeft size={13} role="img" aria-label="from" />
        )}
        <PartyTile name={isPerson ? "user" : peer} />
        <span className="mail-row__peer">
          <ShownText text={peer} />
        </span>
        <span className="tab-list__text">{firstWords(message.content)}</span>
        <span className="mail-row__receipt">
          {delivery === undefined ? null : <ReceiptWords delivery={delivery} />}
        </span>
        <time className="tab-list__time" dateTime={message.timestamp}>
          {sayWhen(toMs(message.timestamp), now)}
        </time>
      </button>
      {open ? (
        <div className="mail-row__open">
          <ReceiptLadder mail={mail} />
        </div>
      ) : null}
    </div>
  );
}
