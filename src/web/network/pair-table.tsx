import type { RefObject } from "react";
import type { PingPong } from "../../model/ping-pong.js";
import { barScale } from "./network-model.js";
import { isNearCap, pairKey } from "./pair.js";
import { PairCard, PairRow } from "./pair-row.js";
import "./pair-table.css";
import type { Pair } from "./use-network.js";
import { useRowWindow } from "./use-row-window.js";

type Props = {
  /** In the order in which they are shown. */
  pairs: readonly Pair[];
  pingPongs: ReadonlyMap<string, PingPong>;
  selected: string | undefined;
  /** When they were fetched. */
  at: number;
  onSelect: (key: string) => void;
};

export const ROW_HEIGHT = 40;

/** Who writes to whom: a row for each direction. Of very many only those in view are drawn. */
export function PairTable({ scroller, ...props }: Props & { scroller: RefObject<HTMLElement | null> }) {
  const { pairs, pingPongs, selected, at, onSelect } = props;
  const { first, end } = useRowWindow(pairs.length, ROW_HEIGHT, scroller);
  const scale = barScale(pairs);
  const hasSelected = pairs.some((pair) => pairKey(pair) === selected);
  return (
    <table className="pairs" aria-rowcount={pairs.length + 1}>
      <caption className="visually-hidden">Who writes to whom, in the last ten minutes</caption>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col">Pair</th>
          <th scope="col" className="pairs__minutes">
            10 min
          </th>
          <th scope="col" className="pairs__rate">
            Rate
          </th>
          <th scope="col" className="pairs__cap">
            Cap
          </th>
          <th scope="col" className="pairs__cooldown">
            Cooldown
          </th>
          <th scope="col" className="pairs__held">
            Held
          </th>
          <th scope="col" className="pairs__last">
            Last
          </th>
        </tr>
      </thead>
      <tbody>
        <Gap rows={first} />
        {pairs.slice(first, end).map((pair, index) => {
          const key = pairKey(pair);
          return (
            <PairRow
              key={key}
              pair={pair}
              at={first + index + 1}
              scale={scale}
              isHot={isHot(pair, pingPongs)}
              isSelected={key === selected}
              isFirstStop={!hasSelected && first + index === 0}
              dueAt={dueAt(pair, at)}
              onSelect={onSelect}
            />
          );
        })}
        <Gap rows={pairs.length - end} />
      </tbody>
    </table>
  );
}

export function PairCards({ pairs, pingPongs, selected, at, onSelect }: Props) {
  const scale = barScale(pairs);
  return (
    <ul className="pair-cards" aria-label="Who writes to whom, in the last ten minutes">
      {pairs.map((pair) => (
        <PairCard
          key={pairKey(pair)}
          pair={pair}
          scale={scale}
          isHot={isHot(pair, pingPongs)}
          isSelected={pairKey(pair) === selected}
          dueAt={dueAt(pair, at)}
          onSelect={onSelect}
        />
      ))}
    </ul>
  );
}

/** In the place of rows that nobody sees. */
function Gap({ rows }: { rows: number }) {
  if (rows <= 0) return null;
  return (
    <tr className="pairs__gap">
      <td colSpan={7} style={{ height: rows * ROW_HEIGHT }} />
    </tr>
  );
}

function isHot(pair: Pair, pingPongs: ReadonlyMap<string, PingPong>): boolean {
  return isNearCap(pair) || pingPongs.has(pairKey(pair));
}

/** Two answers differ by a little for the same moment: a row is not to render for that. */
function dueAt({ next_ms }: Pair, at: number): number {
  return next_ms === 0 ? 0 : Math.round((at + next_ms) / 500) * 500;
}
