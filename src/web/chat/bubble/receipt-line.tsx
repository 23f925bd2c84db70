import { ChevronDown } from "lucide-react";
import { useNow } from "../../parts/use-now.js";
import { useChat } from "../chat-context.js";
import { type Delivery, deliveryTo, type Mail } from "./mail.js";
import { describeReceipt, introduceReceipt } from "./receipt.js";
import { Rungs } from "./rungs.js";
import "./receipt-line.css";

type Props = { mail: Mail /** What stands last: the time, below a bubble that has no head. */; end?: string };

/** How far a message has come. It opens the ladder. */
export function ReceiptLine({ mail, end }: Props) {
  const { own, toggleLadder, isOpen, find } = useChat();
  const { message } = mail;
  const delivery = deliveryTo(mail, own.name);
  if (delivery === undefined) return end === undefined ? null : <p className="receipt">{end}</p>;
  const before = message.reply_to === undefined ? undefined : find(message.reply_to);
  const open = isOpen(message.id);
  return (
    <button type="button" className="receipt" aria-expanded={open} onClick={() => toggleLadder(message.id)}>
      {open ? <ChevronDown size={12} aria-hidden="true" /> : null}
      <ReceiptWords delivery={delivery} before={introduceReceipt(message, before)} end={end} />
    </button>
  );
}

type WordsProps = { delivery: Delivery; before?: readonly string[]; end?: string | undefined };

/** Of a held one the time goes on, so it is a component of its own. */
export function ReceiptWords(props: WordsProps) {
  return props.delivery.state === "held" ? <HeldWords {...props} /> : <Words {...props} now={0} />;
}

function HeldWords(props: WordsProps) {
  return <Words {...props} now={useNow()} />;
}

function Words({ delivery, before = [], end, now }: WordsProps & { now: number }) {
  const { pulls } = useChat();
  const receipt = describeReceipt(delivery, { pulls: pulls(delivery.to), now });
  return (
    <>
      <Rungs receipt={receipt} />
      <span className={`receipt__words receipt__words--${receipt.tone}`}>
        {[...before, ...receipt.words].join(" · ")}
      </span>
      <span className={`receipt__last receipt__words--${receipt.tone}`}>{receipt.last}</span>
      {end === undefined ? null : <span className="receipt__end">{end}</span>}
    </>
  );
}
