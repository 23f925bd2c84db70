import { ArrowRight } from "lucide-react";
import { agentColorProps } from "../../parts/agent-color.js";
import { Monogram } from "../../parts/monogram.js";
import { ShownText } from "../../parts/shown-text.js";
import { escapeShown } from "../../parts/split-unsafe.js";
import { sayClock, toMs } from "../../parts/time.js";
import { FoldedText } from "../bubble/folded-text.js";
import type { Delivery, Mail } from "../bubble/mail.js";
import { describeReceipt } from "../bubble/receipt.js";
import { ReceiptLadder } from "../bubble/receipt-ladder.js";
import { Rungs } from "../bubble/rungs.js";
import { useChat } from "../chat-context.js";
import "./turn-block.css";

/** Mail that the agent of the page sent: a line, which opens to all of it. */
export function SentLine({ mail }: { mail: Mail }) {
  const { isOpen, toggleLadder } = useChat();
  const { message } = mail;
  const open = isOpen(message.id);
  const first = mail.deliveries[0];
  const label = `${message.from} to ${message.to}, ${sayClock(toMs(message.timestamp))}`;
  return (
    <article className="sent" tabIndex={-1} aria-label={label} data-message={message.id}>
      <button
        type="button"
        className="sent__line"
        aria-expanded={open}
        onClick={() => toggleLadder(message.id)}
      >
        <ArrowRight size={13} aria-hidden="true" />
        <Monogram name={message.to} size={18} />
        <span className="sent__name" {...agentColorProps(message.to)}>
          <ShownText text={message.to} />
        </span>
        <span className="sent__text">{firstWords(message.content)}</span>
        {first === undefined ? null : <SentReceipt delivery={first} count={mail.recipients} />}
      </button>
      {open ? (
        <div className="sent__open">
          <FoldedText text={message.content} />
          <ReceiptLadder mail={mail} />
        </div>
      ) : null}
    </article>
  );
}

function SentReceipt({ delivery, count }: { delivery: Delivery; count: number }) {
  const { pulls } = useChat();
  const receipt = describeReceipt(delivery, { pulls: pulls(delivery.to), now: Date.now() });
  return (
    <span className="sent__receipt">
      <Rungs receipt={receipt} />
      <span className={`sent__word receipt__words--${receipt.tone}`}>
        {receipt.last.replace(/ \+.*/, receipt.last.startsWith("answered") ? "$&" : "")}
        {count > 1 ? ` · ${count} agents` : ""}
      </span>
    </span>
  );
}

/** The beginning of a text as one line, without the marks of Markdown that only adorn. */
export function firstWords(text: string): string {
  return escapeShown(
    text
      .slice(0, 240)
      .replace(/\s+/g, " ")
      .replace(/\*\*|`/g, ""),
  ).trim();
}
