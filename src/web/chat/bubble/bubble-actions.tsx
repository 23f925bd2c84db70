import { ArrowUpRight, Copy, Link, MessagesSquare, Reply } from "lucide-react";
import { IconButton } from "../../parts/button.js";
import { copyText } from "../../parts/copy-text.js";
import { useChat } from "../chat-context.js";
import type { Message } from "./mail.js";

/** What can be done with a message; they float over its upper edge, on hover and on focus. */
export function BubbleActions({ message }: { message: Message }) {
  const { reply, openThread, linkTo, goTo, nameNow } = useChat();
  const sender = message.fromSession === undefined ? undefined : nameNow(message.fromSession);
  return (
    <div className="message-bubble__actions" role="toolbar" aria-label="Message">
      <IconButton label="Reply (r)" icon={<Reply size={14} />} onClick={() => reply(message)} />
      <IconButton
        label="Thread (t)"
        icon={<MessagesSquare size={14} />}
        onClick={() => openThread(message)}
      />
      <IconButton label="Copy Markdown (y)" icon={<Copy size={14} />} onClick={() => copyMarkdown(message)} />
      <IconButton
        label="Copy link"
        icon={<Link size={14} />}
        onClick={() => copyText(linkTo(message), "Link copied")}
      />
      {sender === undefined ? null : (
        <IconButton
          label={`Go to ${sender}`}
          icon={<ArrowUpRight size={14} />}
          onClick={() => goTo(sender)}
        />
      )}
    </div>
  );
}

export function copyMarkdown(message: Message): void {
  copyText(message.content, "Markdown copied");
}
