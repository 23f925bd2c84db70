import { ArrowRight } from "lucide-react";
import { memo } from "react";
import { PartyTile } from "../parts/party-tile.js";
import { ShownText } from "../parts/shown-text.js";
import { sayClock, sayClockSeconds, sayDay, toMs } from "../parts/time.js";
import { excerptAround } from "./find-hits.js";
import type { LogRow } from "./log-rows.js";
import { StateView } from "./log-state.js";
import { partyWord } from "./party-word.js";

type Props = {
  /** Undefined: it is being fetched. */
  row: LogRow | undefined;
  /** From 0. */
  index: number;
  terms: readonly string[];
  isSelected: boolean;
  isPhone: boolean;
  onSelect: (index: number) => void;
};

export const LogRowView = memo(function LogRowView({
  row,
  index,
  terms,
  isSelected,
  isPhone,
  onSelect,
}: Props) {
  if (row === undefined)
    return (
      <tr className="log-row log-row--blank" aria-rowindex={index + 2}>
        <td colSpan={5}>
          <span className="visually-hidden">loading</span>
        </td>
      </tr>
    );
  const { at, from, to, type, text } = factsOf(row);
  const when = toMs(at);
  return (
    <tr
      className="log-row"
      aria-rowindex={index + 2}
      aria-current={isSelected ? true : undefined}
      data-seq={row.seq}
    >
      <td className="log-row__time">
        <time dateTime={at} title={`${sayDay(when, Date.now())}, ${sayClockSeconds(when)}`}>
          {isPhone ? sayClock(when) : sayTime(when)}
        </time>
      </td>
      <td className="log-row__who">
        <PartyTile name={from} />
        <span className="log-row__from">
          <ShownText text={partyWord(from)} />
        </span>
        {to !== "" && (
          <>
            <ArrowRight size={12} role="img" aria-label="to" />
            {!isPhone && to !== "all" && <PartyTile name={to} />}
            <span className="log-row__to">
              <ShownText text={partyWord(to)} />
            </span>
          </>
        )}
      </td>
      <td className="log-row__type">{type}</td>
      <td className="log-row__text">
        <button type="button" className="log-row__open" tabIndex={-1} onClick={() => onSelect(index)}>
          <Excerpt text={text} terms={terms} />
        </button>
      </td>
      <td className="log-row__state">
        <StateView row={row} />
      </td>
    </tr>
  );
});

/** Of another day the day stands before it. */
function sayTime(at: number): string {
  const day = sayDay(at, Date.now());
  return day === "Today" ? sayClockSeconds(at) : `${dayAndMonth(at)} ${sayClock(at)}`;
}

function dayAndMonth(at: number): string {
  return new Date(at).toLocaleString("en", { day: "numeric", month: "short" });
}

function factsOf(row: LogRow): { at: string; from: string; to: string; type: string; text: string } {
  if (row.kind === "turn") {
    const { agent, started, ended, excerpt } = row.turn;
    return { at: ended ?? started, from: agent, to: "", type: "turn", text: excerpt };
  }
  const { from, to, type, timestamp, content, context } = row.message;
  return { at: timestamp, from, to, type, text: context === undefined ? content : `${content}\n${context}` };
}

function Excerpt({ text, terms }: { text: string; terms: readonly string[] }) {
  const { text: shown, hits } = excerptAround(text, terms);
  let at = 0;
  const pieces = hits.map(([from, to]) => {
    const before = shown.slice(at, from);
    at = to;
    return { from, before, hit: shown.slice(from, to) };
  });
  return (
    <>
      {pieces.map(({ from, before, hit }) => (
        <span key={from}>
          <ShownText text={before} />
          <mark className="hit">
            <ShownText text={hit} />
          </mark>
        </span>
      ))}
      <ShownText text={shown.slice(at)} />
    </>
  );
}
