import type { TextOutput } from "../cli-io.js";

const ENTER = [
  "\x1b[?1049h", // the other screen: what stood in the terminal comes back at the end
  "\x1b[?25l", // no cursor
  "\x1b[?7l", // a line that a terminal finds wider than we do is cut at the edge, not continued in the next row
  "\x1b[?2004h", // what is pasted comes marked as such
].join("");
const LEAVE = "\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l";
const CLEAR = "\x1b[2J";
const CLEAR_LINE = "\x1b[2K";
const PLAIN = "\x1b[0m";
/** Terminals that know it show the whole frame at once; others ignore it. */
const BEGIN_FRAME = "\x1b[?2026h";
const END_FRAME = "\x1b[?2026l";
const AT_ROW = (row: number) => `\x1b[${row + 1};1H`;

export type FullScreen = {
  enter(): void;
  /** A line for each row. Only those that changed are written, in one piece: nothing flickers. */
  draw(lines: readonly string[]): void;
  /** The next frame is drawn whole: after a resize, or when something else wrote there. */
  forget(): void;
  leave(): void;
};

export function createFullScreen(output: TextOutput): FullScreen {
  let drawn: readonly string[] | undefined;
  return {
    enter() {
      drawn = undefined;
      output.write(ENTER);
    },
    draw(lines) {
      const before = drawn;
      const changed = lines.flatMap((line, row) =>
        before?.[row] === line ? [] : [`${AT_ROW(row)}${CLEAR_LINE}${line}${PLAIN}`],
      );
      drawn = lines;
      if (changed.length === 0) return;
      output.write(`${BEGIN_FRAME}${before === undefined ? CLEAR : ""}${changed.join("")}${END_FRAME}`);
    },
    forget() {
      drawn = undefined;
    },
    leave: () => void output.write(LEAVE),
  };
}
