import { Clock, TriangleAlert } from "lucide-react";
import { Button } from "../../parts/button.js";
import type { Unsent } from "../chat-rows.js";
import { FoldedText } from "./folded-text.js";
import "./message-bubble.css";

type Props = { unsent: Unsent; onDiscard: () => void; onRetry: () => void };

/** What the person wrote and the hub does not have yet. */
export function UnsentBubble({ unsent, onDiscard, onRetry }: Props) {
  const { error, text, to, state } = unsent;
  // On its way it looks as it will: most are there within a moment.
  const isOnItsWay = state === "sending" && error === undefined;
  return (
    <article
      className={`message-bubble message-bubble--human ${isOnItsWay ? "" : "message-bubble--unsent"}`}
      aria-label={`you to ${to}, not sent yet`}
    >
      <div className="message-bubble__content">
        <div className="message-bubble__body">
          <FoldedText text={text} />
        </div>
      </div>
      {isOnItsWay ? (
        <p className="receipt">sending</p>
      ) : (
        <div className="unsent">
          {error === undefined ? (
            <>
              <Clock size={12} aria-hidden="true" />
              <span>waits on this page · will be sent once, when the hub is back</span>
            </>
          ) : (
            <>
              <TriangleAlert size={12} aria-hidden="true" />
              <span className="unsent__error">{error}</span>
              <Button kind="quiet" size={24} onClick={onRetry}>
                Try again
              </Button>
            </>
          )}
          {state === "trying" ? null : (
            <Button kind="quiet" size={24} onClick={onDiscard}>
              Discard
            </Button>
          )}
        </div>
      )}
    </article>
  );
}
