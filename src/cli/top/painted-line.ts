import stringWidth from "string-width";
import { segmentsOf } from "../segments-of.js";
import { type Cell, shorten } from "../table.js";

/** Painted pieces one after the other in at most `width` columns, cut at the right. The texts must be escaped already. */
export function fitLine(pieces: readonly Cell[], width: number): string {
  let left = width;
  let line = "";
  for (const piece of pieces) {
    const whole = typeof piece === "string" ? piece : piece.text;
    if (left <= 0) break;
    const text = shorten(whole, left);
    line += typeof piece === "string" ? text : piece.paint(text);
    left = text === whole ? left - stringWidth(text) : 0;
  }
  return line;
}

/** `── title ─────`, over the whole width. */
export function ruleLine(title: readonly Cell[], width: number, paint: (text: string) => string): string {
  const text = fitLine(title, Math.max(0, width - 6));
  const rest = Math.max(0, width - 4 - stringWidth(text));
  return `${paint("──")} ${text} ${paint("─".repeat(rest))}`;
}

export function padLine(line: string, width: number): string {
  return line + " ".repeat(Math.max(0, width - stringWidth(line)));
}

/** The end of a text, as much of it as fits. */
export function lastColumns(text: string, width: number): string {
  let end = "";
  let left = width;
  for (const [segment, columns] of [...measure(text.slice(-width * 8))].reverse()) {
    left -= columns;
    if (left < 0) break;
    end = segment + end;
  }
  return end;
}

/** Marks that pile up on one character reach into the rows above and below: what writing needs is left. */
export function calmMarks(line: string): string {
  return line.replace(/(\p{M}{3})\p{M}+/gu, "$1");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours, nobody else's come through
const COLOR = /(\x1b\[\d+m)/;
const COLORS_END = new Set(["\x1b[0m", "\x1b[22m", "\x1b[39m"]);
const RESET = "\x1b[0m";

/** A line with our own colours, broken at its spaces into rows; each row has the colours that hold in it. */
export function wrapPainted(line: string, width: number): string[] {
  const rows: string[] = [];
  let row = "";
  let used = 0;
  let active = "";
  /** After the last space of the row. */
  let gap: { at: number; used: number; active: string } | undefined;

  function endRow(): void {
    const at = gap ?? { at: row.length, used, active };
    const [kept, rest] = [row.slice(0, at.at).trimEnd(), row.slice(at.at)];
    rows.push(at.active === "" ? kept : kept + RESET);
    row = at.active + rest;
    used -= at.used;
    gap = undefined;
  }

  for (const piece of line.split(COLOR)) {
    if (COLOR.test(piece)) {
      active = COLORS_END.has(piece) ? "" : active + piece;
      row += piece;
      continue;
    }
    for (const [segment, columns] of measure(piece)) {
      if (used > 0 && used + columns > width) endRow();
      row += segment;
      used += columns;
      if (segment === " ") gap = { at: row.length, used, active };
    }
  }
  return [...rows, row];
}

/** What a terminal shows as one character, and its columns. Most text is ASCII, and told fast: an agent may pour out a lot. */
function* measure(text: string): Generator<[segment: string, columns: number]> {
  for (const run of text.match(/[ -~]+|[^ -~]+/g) ?? []) {
    if (/^[ -~]/.test(run)) for (const character of run) yield [character, 1];
    else for (const { segment } of segmentsOf(run)) yield [segment, stringWidth(segment)];
  }
}
