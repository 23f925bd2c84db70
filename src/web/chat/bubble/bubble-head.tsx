import { Clock } from "lucide-react";
import { Chip } from "../../parts/chip.js";
import { ShownName } from "../../parts/shown-text.js";
import { sayClock, toMs } from "../../parts/time.js";
import { useChat } from "../chat-context.js";
import { deliveredAt } from "./delivered-at.js";
import { deliveryTo, type Mail, type Message } from "./mail.js";
import { lateness } from "./message-kind.js";

/** Who wrote it, under the name of that time, from which session, and when it was delivered. */
export function BubbleHead({ mail }: { mail: Mail }) {
  const { own, nameNow, looksLike } = useChat();
  const { message } = mail;
  const delivered = deliveredAt(deliveryTo(mail, own.name));
  const late = lateness(message, delivered);
  const now = message.fromSession === undefined ? undefined : nameNow(message.fromSession);
  return (
    <header className="message-bubble__agent-header">
      <span className="message-bubble__agent-dot" aria-hidden="true" />
      <span className="message-bubble__agent-name">
        <ShownName name={nameOf(message)} looksLike={looksLike(message.from)} />
      </span>
      {now === undefined || now === message.from ? null : <Chip tone="outline">now {now}</Chip>}
      {message.applet === undefined ? null : <Chip tone="outline">applet</Chip>}
      {chipsOf(message).map((word) => (
        <Chip key={word}>{word}</Chip>
      ))}
      {late === undefined ? null : (
        <Chip tone="amber" icon={<Clock size={12} aria-hidden="true" />}>
          composed {sayClock(toMs(late.composed))} · delivered {sayClock(toMs(late.delivered))}
        </Chip>
      )}
      {message.fromSession === undefined ? null : (
        <span className="message-bubble__session" title={`session ${message.fromSession}`}>
          {shortSession(message.fromSession)}
        </span>
      )}
      <time className="message-bubble__time" dateTime={message.timestamp}>
        {sayClock(toMs(delivered ?? message.timestamp))}
      </time>
    </header>
  );
}

function nameOf(message: Message): string {
  return message.applet ?? message.from;
}

const USUAL: readonly string[] = ["message", "text", "broadcast", "system"];

function chipsOf({ type, to, attention, trust, repeated }: Message): string[] {
  return [
    ...(USUAL.includes(type) ? [] : [type]),
    ...(type === "broadcast" ? [`to ${to}`] : []),
    ...(attention === "queue" ? [] : [attention]),
    ...(trust === "peer" || trust === "callback" ? [`from a ${trust}`] : []),
    ...(repeated === true ? ["repeated"] : []),
  ];
}

/** `7f3c…91ab`: enough to tell sessions apart. */
function shortSession(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 4)}…${id.slice(-4)}`;
}
