import { type CSSProperties, memo } from "react";
import type { Screen } from "../../../contract/http/turns.js";
import { escapeShown } from "../../parts/split-unsafe.js";
import { readScreen, type ScreenLine, type ScreenRun, type ScreenStyle } from "./read-screen.js";
import "./terminal-tab.css";

/** What stands in a pane, cell by cell, with the cursor. Nothing can be typed into it. */
export const ScreenView = memo(function ScreenView({ screen }: { screen: Screen }) {
  const lines = withoutEmptyEnd(readScreen(screen.ansi), screen.cursor?.row ?? 0);
  return (
    <pre className="screen">
      {lines.map((line, row) => (
        <span key={row} className="screen__line">
          {renderLine(line, screen.cursor?.row === row ? screen.cursor.column : undefined)}
          {"\n"}
        </span>
      ))}
    </pre>
  );
});

/** Most of a screen may be empty: what is below the last words and the cursor says nothing. */
function withoutEmptyEnd(lines: readonly ScreenLine[], cursor: number): readonly ScreenLine[] {
  const last = lines.findLastIndex((line) =>
    line.some(({ text, style }) => text.trim() !== "" || style.ground !== undefined),
  );
  return lines.slice(0, Math.max(last, cursor) + 1);
}

function renderLine(line: ScreenLine, cursor: number | undefined) {
  const runs = cursor === undefined ? line : withCursor(line, cursor);
  return runs.map((run, at) => (
    <span key={at} className={classesOf(run)} style={styleOf(run.style)}>
      {escapeShown(run.text)}
    </span>
  ));
}

type ShownRun = ScreenRun & { isCursor?: true };

/** The cell of the cursor becomes a run of its own; beyond the end of the line there is a space. */
function withCursor(line: ScreenLine, column: number): ShownRun[] {
  const runs: ShownRun[] = [];
  let from = 0;
  let isPlaced = false;
  for (const run of line) {
    const cells = Array.from(run.text);
    const at = column - from;
    if (!isPlaced && at >= 0 && at < cells.length) {
      runs.push({ text: cells.slice(0, at).join(""), style: run.style });
      runs.push({ text: cells[at] ?? " ", style: run.style, isCursor: true });
      runs.push({ text: cells.slice(at + 1).join(""), style: run.style });
      isPlaced = true;
    } else runs.push(run);
    from += cells.length;
  }
  if (isPlaced) return runs;
  return [
    ...runs,
    { text: " ".repeat(Math.max(0, column - from)), style: {} },
    { text: " ", style: {}, isCursor: true },
  ];
}

function classesOf({ style, isCursor }: ShownRun): string | undefined {
  const classes = [
    ...(typeof style.color === "number" ? [`screen--color-${style.color}`] : []),
    ...(typeof style.ground === "number" ? [`screen--ground-${style.ground}`] : []),
    ...(["bold", "dim", "italic", "underline", "strike", "inverse"] as const)
      .filter((name) => style[name] === true)
      .map((name) => `screen--${name}`),
    ...(isCursor === true ? ["screen__cursor"] : []),
  ];
  return classes.length === 0 ? undefined : classes.join(" ");
}

/** Colours beyond the palette. React sets them on the element, which the policy of the page allows. */
function styleOf({ color, ground }: ScreenStyle): CSSProperties | undefined {
  const style: CSSProperties = {
    ...(typeof color === "string" ? { color } : {}),
    ...(typeof ground === "string" ? { background: ground } : {}),
  };
  return Object.keys(style).length === 0 ? undefined : style;
}
