import { ShownText } from "../../parts/shown-text.js";
import { listLadder } from "./ladder.js";
import type { Delivery, Mail } from "./mail.js";

/** Every step of every delivery: when, how much later, and what it rests on. */
export function ReceiptLadder({ mail }: { mail: Mail }) {
  return mail.deliveries.map((delivery, at) => (
    <div key={`${delivery.to}-${at}`} className="ladder-box">
      {mail.deliveries.length > 1 ? <p className="ladder__to">to {delivery.to}</p> : null}
      <Ladder delivery={delivery} seq={mail.message.seq} />
    </div>
  ));
}

function Ladder({ delivery, seq }: { delivery: Delivery; seq: number }) {
  return (
    <ol className="ladder" aria-label={`how the message came to ${delivery.to}`}>
      {listLadder(delivery, seq).map(({ key, state, time, offset, evidence, tone }) => (
        <li key={key} className={`ladder__row ladder__row--${tone}`}>
          <span className="ladder__node" aria-hidden="true" />
          <span className="ladder__state">{state}</span>
          <span className="ladder__time">{time}</span>
          <span className="ladder__offset">{offset}</span>
          <span className="ladder__evidence">
            <ShownText text={evidence} />
          </span>
        </li>
      ))}
    </ol>
  );
}
