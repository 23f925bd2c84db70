import stringWidth from "string-width";
import type { TextOutput } from "../cli-io.js";

/** Lines at the end of the terminal that are written over in place. What is printed after them comes below. */
export type Screen = { draw(lines: readonly string[]): void };

const UP = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : "");
const TO_END_OF_LINE = "\x1b[K";
const TO_END_OF_SCREEN = "\x1b[J";
const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";
/** Terminals that know it show the whole frame at once; others ignore it. */
const BEGIN_FRAME = "\x1b[?2026h";
const END_FRAME = "\x1b[?2026l";

/**
 * Nothing is cleared before it is written over, and a frame is one write: so nothing flickers. The lines must not be wider
 * than the terminal, nor more than it has rows.
 */
export function createScreen(output: TextOutput): Screen {
  let drawn: readonly string[] = [];
  return {
    draw(lines) {
      const text = lines.map((line) => `\r${line}${TO_END_OF_LINE}\n`).join("");
      const back = UP(rowsOf(drawn, output.columns ?? 80));
      const frame = `${HIDE_CURSOR}${back}${text}${TO_END_OF_SCREEN}${SHOW_CURSOR}`;
      output.write(`${BEGIN_FRAME}${frame}${END_FRAME}`);
      drawn = lines;
    },
  };
}

/** A terminal that was made narrower has broken the lines that are too long for it now. */
function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce(
    (rows, line) => rows + Math.max(1, Math.ceil(stringWidth(line) / Math.max(1, columns))),
    0,
  );
}
