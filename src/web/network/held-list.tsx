import { useState } from "react";
import type { HeldList as Held } from "../../client/hub-client.js";
import { ShownText } from "../parts/shown-text.js";
import { sayAge, toMs } from "../parts/time.js";
import { useNow } from "../parts/use-now.js";
import "./network-lists.css";
import { pairKey } from "./pair.js";
import { sayReason, useAwayWord } from "./pair-parts.js";
import type { HeldMessage } from "./use-network.js";
import { WhoToWhom } from "./who.js";

const FEW = 4;

/** What is held back now: who wrote it to whom, why it waits, and until when. */
export function HeldList({ held, onSelect }: { held: Held; onSelect: (key: string) => void }) {
  const [isWhole, setWhole] = useState(false);
  if (held.total === 0) return null;
  const shown = isWhole ? held.held : held.held.slice(0, FEW);
  const more = held.total - shown.length;
  return (
    <section className="network-list">
      <h2 className="network-list__head">
        Held back now <span className="network-list__count figures">{held.total}</span>
        {more > 0 && (
          <button
            type="button"
            className="network-list__more"
            onClick={() => setWhole(true)}
            disabled={isWhole}
          >
            {more} more
          </button>
        )}
        {isWhole && held.held.length > FEW && (
          <button type="button" className="network-list__more" onClick={() => setWhole(false)}>
            fewer
          </button>
        )}
      </h2>
      <table className="network-list__table">
        <colgroup>
          <col className="network-list__col-who" />
          <col className="network-list__col-text" />
          <col className="network-list__col-why" />
          <col className="network-list__col-until" />
        </colgroup>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Pair</th>
            <th scope="col">Message</th>
            <th scope="col">Why</th>
            <th scope="col">Until</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <HeldRow key={`${one.id} ${one.to}`} held={one} onSelect={onSelect} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function HeldRow({ held, onSelect }: { held: HeldMessage; onSelect: (key: string) => void }) {
  const away = useAwayWord(held.to);
  return (
    <tr className="network-list__row" data-held={held.id}>
      <td className="network-list__who">
        <button type="button" className="network-list__pick" onClick={() => onSelect(pairKey(held))}>
          <WhoToWhom from={held.from} to={held.to} />
        </button>
      </td>
      <td className="network-list__text">
        <ShownText text={held.text.slice(0, 300)} />
      </td>
      <td className="network-list__why" title={held.why}>
        {sayReason(held.reason, away)}
        {held.behind === true && <span className="network-list__dim">, behind another</span>}
      </td>
      <td className="network-list__until">
        <HeldUntil held={held} />
      </td>
    </tr>
  );
}

/** `in 4 s`, `until you say`. */
export function HeldUntil({ held }: { held: HeldMessage }) {
  const now = useNow();
  if (held.until !== null) {
    const left = toMs(held.until) - now;
    return <span className="figures">{left <= 0 ? "now" : `in ${sayAge(left + 999)}`}</span>;
  }
  return untilWords[held.reason];
}

const untilWords = {
  cooldown: "in a moment",
  budget: "until you say",
  backstop: "until you write",
  paused: "until you resume",
  away: "until it is back",
} as const;
