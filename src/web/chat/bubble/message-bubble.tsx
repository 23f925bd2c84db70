import { memo } from "react";
import { agentColorProps } from "../../parts/agent-color.js";
import { sayClock, toMs } from "../../parts/time.js";
import { useChat } from "../chat-context.js";
import { BubbleActions } from "./bubble-actions.js";
import { BubbleHead } from "./bubble-head.js";
import { FoldedText } from "./folded-text.js";
import type { Mail } from "./mail.js";
import type { MessageKind } from "./message-kind.js";
import { ReceiptLadder } from "./receipt-ladder.js";
import { ReceiptLine } from "./receipt-line.js";
import "./message-bubble.css";

type Props = { mail: Mail; as: Extract<MessageKind, "human" | "agent" | "applet">; isMarked?: boolean };

/** One message: of the person, of an applet that the person uses, or of another agent. */
export const MessageBubble = memo(function MessageBubble({ mail, as, isMarked = false }: Props) {
  const { isOpen } = useChat();
  const { message } = mail;
  const time = sayClock(toMs(message.timestamp));
  return (
    <article
      className={`message-bubble message-bubble--${as} ${isMarked ? "message-bubble--marked" : ""}`}
      aria-label={`${as === "human" ? "you" : (message.applet ?? message.from)} to ${message.to}, ${time}`}
      tabIndex={-1}
      data-message={message.id}
      {...(as === "agent" ? agentColorProps(message.from) : {})}
    >
      <BubbleActions message={message} />
      <div className="message-bubble__content">
        {as === "human" ? null : <BubbleHead mail={mail} />}
        <div className={as === "human" ? "message-bubble__body" : "message-bubble__agent-body"}>
          <FoldedText text={message.content} />
          {message.context === undefined ? null : (
            <details className="message-bubble__context">
              <summary>context</summary>
              <FoldedText text={message.context} />
            </details>
          )}
        </div>
      </div>
      <ReceiptLine mail={mail} {...(as === "human" ? { end: time } : {})} />
      {isOpen(message.id) ? <ReceiptLadder mail={mail} /> : null}
    </article>
  );
});
