import { Ban, Check, X, Zap } from "lucide-react";
import { memo, useMemo } from "react";
import { ShownText } from "../../parts/shown-text.js";
import { StatusGlyph } from "../../parts/status-glyph.js";
import { sayClockSeconds, sayLength, toMs } from "../../parts/time.js";
import type { Mail } from "../bubble/mail.js";
import { MarkdownText } from "../markdown/markdown-text.js";
import { SentLine } from "./sent-line.js";
import { Plan, Thoughts } from "./thoughts.js";
import { RunningTool, ToolCalls } from "./tool-calls.js";
import type { TurnEnd } from "./turn-end.js";
import { nameTurn } from "./turn-name.js";
import { cutTurn, runningTool, type TurnPiece } from "./turn-pieces.js";
import type { TurnShown } from "./turn-shown.js";
import "./turn-block.css";

type Props = { turn: TurnShown; number: number | undefined; sent: readonly Mail[]; end: TurnEnd | undefined };

/** What an agent did with one prompt: the same while it runs and afterwards. */
export const TurnBlock = memo(function TurnBlock({ turn, number, sent, end }: Props) {
  const pieces = useMemo(() => cutTurn(turn, sent), [turn, sent]);
  const running = runningTool(turn);
  const isRunning = turn.state === "running";
  const last = pieces.at(-1);
  return (
    <section className={`turn turn--${turn.state}`} aria-label={nameTurn(number)} data-turn={turn.turn}>
      <TurnMeta turn={turn} number={number} />
      {turn.thoughts.trim() === "" ? null : <Thoughts text={turn.thoughts} />}
      {turn.plan.length === 0 ? null : <Plan entries={turn.plan} />}
      {turn.cut === undefined ? null : <p className="turn__cut">{cutWords(turn.cut)}</p>}
      {pieces.map((piece) => (
        <Piece
          key={piece.key}
          piece={piece}
          isLive={isRunning && piece === last}
          isFaded={end !== undefined}
        />
      ))}
      {isRunning && last?.kind !== "text" && running === undefined ? (
        <span className="caret" aria-hidden="true" />
      ) : null}
      {running === undefined ? null : <RunningTool tool={running} />}
      {turn.state === "unknown" ? (
        <p className="turn__end">The rest comes when the connection is back.</p>
      ) : null}
      {end === undefined ? null : (
        <p className={`turn__end turn__end--${end.tone}`}>
          {end.tone === "failed" ? <X size={13} aria-hidden="true" /> : <Zap size={13} aria-hidden="true" />}
          <span>
            <strong>{end.head}</strong> <ShownText text={end.rest} />
          </span>
        </p>
      )}
    </section>
  );
});

function Piece({ piece, isLive, isFaded }: { piece: TurnPiece; isLive: boolean; isFaded: boolean }) {
  switch (piece.kind) {
    case "text":
      return (
        <div
          className={`message-bubble message-bubble--assistant turn__text ${isLive ? "turn__text--live" : ""} ${isFaded ? "turn__text--faded" : ""}`}
        >
          <div className="message-bubble__content">
            <MarkdownText text={piece.text} />
          </div>
        </div>
      );
    case "tools":
      return <ToolCalls tools={piece.tools} />;
    case "sent":
      return <SentLine mail={piece.mail} />;
  }
}

function TurnMeta({ turn, number }: { turn: TurnShown; number: number | undefined }) {
  const from = sayClockSeconds(toMs(turn.started));
  const carries = turn.messages.length;
  return (
    <p className="turn__meta">
      <TurnMark turn={turn} />
      <span className="turn__name" title={turn.turn}>
        {nameTurn(number)}
      </span>
      {turn.ended === null ? (
        <span>
          since {from}
          {turn.state === "unknown" ? ", state unknown" : ""}
        </span>
      ) : (
        <span>
          {from} to {sayClockSeconds(toMs(turn.ended))}
        </span>
      )}
      {turn.ended === null && turn.state === "running" && carries > 0 ? (
        <span>
          carries {carries} message{carries === 1 ? "" : "s"}
        </span>
      ) : null}
      {turn.ended !== null && turn.stop === "end_turn" ? (
        <span>{sayLength(toMs(turn.ended) - toMs(turn.started))}</span>
      ) : null}
    </p>
  );
}

function TurnMark({ turn }: { turn: TurnShown }) {
  if (turn.state === "unknown") return <StatusGlyph status="unknown" />;
  if (turn.ended === null) return <StatusGlyph status="busy" />;
  if (turn.stop === "end_turn")
    return <Check size={13} className="turn__done" role="img" aria-label="ended" />;
  if (turn.stop === "cancelled") return <Ban size={13} role="img" aria-label="interrupted" />;
  return <X size={13} className="tools__failed" role="img" aria-label="failed" />;
}

function cutWords({ text = 0, thoughts = 0, tools = 0 }: NonNullable<TurnShown["cut"]>): string {
  const parts = [
    ...(text + thoughts > 0 ? [`${Math.ceil((text + thoughts) / 1000)} KB of text`] : []),
    ...(tools > 0 ? [`${tools} tool calls`] : []),
  ];
  return `The beginning was not kept: ${parts.join(", ")}.`;
}
