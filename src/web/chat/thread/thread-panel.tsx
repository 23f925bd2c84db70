import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { queries } from "../../hub/hub.js";
import { sendLetter } from "../../hub/outbox.js";
import { useThread } from "../../hub/use-history.js";
import { agentColorProps } from "../../parts/agent-color.js";
import { IconButton } from "../../parts/button.js";
import { ErrorCard } from "../../parts/error-card.js";
import { Key } from "../../parts/key.js";
import { ShownText } from "../../parts/shown-text.js";
import { Skeleton } from "../../parts/skeleton.js";
import { sayClock, toMs } from "../../parts/time.js";
import { FoldedText } from "../bubble/folded-text.js";
import type { Message } from "../bubble/mail.js";
import { firstWords } from "../turn/sent-line.js";
import { ConversationCard } from "./conversation-card.js";
import "../bubble/message-bubble.css";
import "./thread-panel.css";

type Props = {
  /** Any message of the thread. */
  message: Message;
  /** How far the history of the page has come: what is new may belong here. */
  newest: number;
  onClose: () => void;
};

/** The messages that answer each other, beside the chat. */
export function ThreadPanel({ message, newest, onClose }: Props) {
  const { data, error, isPending, refetch } = useThread(message.id);
  const end = useRef<HTMLDivElement>(null);
  const messages = data?.messages ?? [];
  const last = messages.at(-1);
  useEffect(() => {
    if (newest > 0) void queries.invalidateQueries({ queryKey: ["thread", message.id] });
  }, [newest, message.id]);
  useEffect(() => {
    if (last !== undefined) end.current?.scrollIntoView({ block: "nearest" });
  }, [last]);
  return (
    <section className="thread" aria-label="Thread">
      <header className="thread__head">
        <div>
          <h2 className="thread__title">Thread</h2>
          <p className="thread__about">
            <span className="thread__words">{firstWords((messages[0] ?? message).content)}</span>
            <span>
              · {messages.length} message{messages.length === 1 ? "" : "s"}
            </span>
          </p>
        </div>
        <IconButton label="Close thread (Esc)" icon={<X size={16} />} onClick={onClose} />
      </header>
      <div className="thread__list">
        {isPending ? <Skeleton lines={6} /> : null}
        {error === null ? null : (
          <ErrorCard title="The thread could not be loaded" error={error} retry={() => void refetch()} />
        )}
        {messages.map((one) => (
          <ThreadMessage key={one.id} message={one} />
        ))}
        <ConversationCard
          conversation={message.conversation}
          hop={Math.max(message.hop, ...messages.map(({ hop }) => hop))}
          pair={messages.findLast(({ source }) => source === "agent") ?? message}
        />
        <div ref={end} />
      </div>
      <ReplyBox to={last ?? message} />
    </section>
  );
}

function ThreadMessage({ message }: { message: Message }) {
  const isPerson = message.source === "user";
  const name = isPerson ? "you" : (message.applet ?? message.from);
  const time = sayClock(toMs(message.timestamp));
  return (
    <article
      className={`thread__message ${isPerson ? "thread__message--person" : ""}`}
      aria-label={`${name} to ${message.to}, ${time}`}
      {...(isPerson ? {} : agentColorProps(message.from))}
    >
      <header className="thread__who">
        <span className="message-bubble__agent-name">
          <ShownText text={name} />
        </span>
        <time className="message-bubble__time" dateTime={message.timestamp}>
          {time}
        </time>
      </header>
      <FoldedText text={message.content} />
    </article>
  );
}

/** Answers the newest message that the person did not write. */
function ReplyBox({ to }: { to: Message }) {
  const [text, setText] = useState("");
  const target = to.source === "agent" ? (to.fromSession ?? to.from) : to.to;
  const send = () => {
    if (text.trim() === "") return;
    sendLetter({ to: target, text: text.trim(), replyTo: to.id });
    setText("");
  };
  return (
    <div className="thread__reply">
      <input
        className="thread__input"
        value={text}
        placeholder="Reply in thread…"
        aria-label={`Reply in thread, to ${to.source === "agent" ? to.from : to.to}`}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) send();
        }}
      />
      <Key>⏎</Key>
    </div>
  );
}
