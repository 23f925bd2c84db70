import { Info } from "lucide-react";
import { ShownText } from "../../parts/shown-text.js";
import { sayClock, toMs } from "../../parts/time.js";
import type { Message } from "./mail.js";

/** What the hub itself tells: a quiet line. */
export function NoticeLine({ message }: { message: Message }) {
  return (
    <p className="chat-notice" data-message={message.id}>
      <Info size={12} aria-hidden="true" />
      <span>
        <ShownText text={message.content} />
      </span>
      <time dateTime={message.timestamp}>{sayClock(toMs(message.timestamp))}</time>
    </p>
  );
}
