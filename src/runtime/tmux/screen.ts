/*
 * A pane's screen as tmux tells it: the rows with their style, and what the rows cannot show (where the cursor is, which
 * command runs, copy mode). Agents tell an empty input box from a typed one by style alone, so style is kept.
 */

export type Cell = { char: string; dim: boolean; bold: boolean; inverse: boolean; fg: string; bg: string };

export type Row = { text: string; cells: readonly Cell[] };

export type Screen = {
  rows: readonly Row[];
  cursor: { row: number; column: number; visible: boolean };
  /** The foreground command of the pane. */
  command: string;
  /** A person scrolls back; keys go to tmux instead of the agent. */
  inMode: boolean;
  /** The pane's process ended and tmux keeps the pane. */
  dead: boolean;
  title: string;
  width: number;
  height: number;
};

const plain = { dim: false, bold: false, inverse: false, fg: "", bg: "" };

/** The rows of `capture-pane -e`: text and SGR sequences, where a style lasts beyond the end of a row. */
export function parseRows(ansi: string): Row[] {
  let style = plain;
  return ansi.split("\n").map((line) => {
    const cells: Cell[] = [];
    for (const [part, sgr] of line.matchAll(sequence)) {
      if (sgr !== undefined) style = applySgr(style, sgr);
      else if (part >= " ") cells.push({ char: part, ...style });
    }
    return { text: cells.map(({ char }) => char).join(""), cells };
  });
}

/** The same text with its colours and styles, and nothing else that a terminal would act on. */
export function keepStyles(ansi: string): string {
  return ansi.replace(sequence, (part: string, sgr: string | undefined) =>
    sgr !== undefined || part === "\n" || (part >= " " && !/[\u007f-\u009f]/.test(part)) ? part : "",
  );
}

// SGR, hyperlinks (OSC), other escapes; else one character. Control characters are not kept.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is parsed
const sequence = /\x1b\[([\d;:]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.?|[\s\S]/gu;

type Style = typeof plain;

function applySgr(before: Style, sgr: string): Style {
  const style = { ...before };
  const codes = sgr.split(";");
  for (let i = 0; i < codes.length; i++) {
    const code = Number.parseInt(codes[i] || "0", 10);
    if (code === 0) Object.assign(style, plain);
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 22) Object.assign(style, { bold: false, dim: false });
    else if (code === 7) style.inverse = true;
    else if (code === 27) style.inverse = false;
    else if (code === 39) style.fg = "";
    else if (code === 49) style.bg = "";
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) style.fg = String(code);
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) style.bg = String(code);
    else if (code === 38 || code === 48 || code === 58) {
      const length = codes[i + 1] === "2" ? 5 : 3;
      const color = codes.slice(i, i + length).join(";");
      if (code === 38) style.fg = color;
      if (code === 48) style.bg = color;
      i += length - 1;
    }
  }
  return style;
}

/** The text without what the eye does not see: spaces, no-break spaces, zero-width marks. */
export function compact(text: string): string {
  return text.replace(/[\s\u200b-\u200d\u2060\ufeff]+/gu, "");
}

export function isBlank(text: string): boolean {
  return compact(text) === "";
}
