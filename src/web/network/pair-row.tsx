import { memo } from "react";
import { Age } from "../parts/elapsed.js";
import { sayRate } from "../parts/say-rate.js";
import { toMs } from "../parts/time.js";
import { MinuteBars } from "./minute-bars.js";
import { isNearCap, PERSON, pairKey } from "./pair.js";
import { CapMeter, CooldownLeft, CooldownSteps, HeldChip } from "./pair-parts.js";
import type { Pair } from "./use-network.js";
import { WhoToWhom } from "./who.js";

type Props = {
  pair: Pair;
  /** Its number among all rows, from 1 on. */
  at: number;
  scale: number;
  isHot: boolean;
  isSelected: boolean;
  isFirstStop: boolean;
  /** When its cooldown is over; 0: it is. */
  dueAt: number;
  onSelect: (key: string) => void;
};

/** One direction of a pair in the table. It renders when something of it changes, and nothing else does. */
export const PairRow = memo(function PairRow(props: Props) {
  const { pair, at, scale, isHot, isSelected, isFirstStop, dueAt, onSelect } = props;
  const key = pairKey(pair);
  return (
    <tr
      className={`pair ${isHot ? "pair--hot" : ""} ${isSelected ? "pair--selected" : ""}`}
      aria-rowindex={at + 1}
      data-pair={key}
    >
      <td className="pair__who">
        <button
          type="button"
          className="pair__pick"
          aria-pressed={isSelected}
          tabIndex={isSelected || isFirstStop ? 0 : -1}
          onClick={() => onSelect(key)}
        >
          <WhoToWhom from={pair.from} to={pair.to} />
        </button>
      </td>
      <td>
        <MinuteBars minutes={pair.minutes.join(",")} scale={scale} />
      </td>
      <td className="pair__rate">
        <Rate perMinute={pair.per_minute} />
      </td>
      <td>
        <CapMeter cap={pair.cap} sent={pair.sent_last_minute} isNear={isNearCap(pair)} />
      </td>
      <td>
        {pair.from === PERSON ? (
          <span className="pair__dim">none</span>
        ) : (
          <CooldownSteps level={pair.level} dueAt={dueAt} />
        )}
      </td>
      <td>
        <HeldChip pair={pair} />
      </td>
      <td className="pair__last">{pair.last !== null && <Age since={toMs(pair.last)} />}</td>
    </tr>
  );
});

/** The same on a phone: two lines. */
export const PairCard = memo(function PairCard(props: Omit<Props, "at" | "isFirstStop">) {
  const { pair, scale, isHot, isSelected, dueAt, onSelect } = props;
  const key = pairKey(pair);
  const isQuiet = pair.per_minute === 0;
  return (
    <li
      className={`pair pair-card ${isHot ? "pair--hot" : ""} ${isSelected ? "pair--selected" : ""}`}
      data-pair={key}
    >
      <button type="button" className="pair__pick" aria-pressed={isSelected} onClick={() => onSelect(key)}>
        <WhoToWhom from={pair.from} to={pair.to} />
      </button>
      <span className="pair__rate">
        {isQuiet && pair.last !== null ? (
          <span className="pair__age">
            <Age since={toMs(pair.last)} />
          </span>
        ) : (
          <Rate perMinute={pair.per_minute} />
        )}
      </span>
      <span className="pair-card__facts">
        <MinuteBars minutes={pair.minutes.join(",")} scale={scale} />
        <span className={`figures ${isNearCap(pair) ? "pair__near" : "pair__dim"}`}>
          {pair.cap === null ? "no cap" : `${pair.sent_last_minute}/${pair.cap}`}
        </span>
        {pair.from !== PERSON && <CooldownSteps level={pair.level} dueAt={0} />}
      </span>
      <span className="pair-card__held">
        {dueAt > 0 && <CooldownLeft dueAt={dueAt} />}
        <HeldChip pair={pair} />
      </span>
    </li>
  );
});

function Rate({ perMinute }: { perMinute: number }) {
  if (perMinute === 0) return <span className="figures pair__dim">0</span>;
  return (
    <span className="figures">
      <strong>{sayRate(perMinute)}</strong>
      <span className="pair__dim">/min</span>
    </span>
  );
}
