/*
 * A pane's screen as tmux gives it (`capture-pane -e`): lines of text with SGR sequences, and nothing else that moves. So it is
 * read here, and no terminal is emulated; docs/adr has why.
 */

/** A colour of the terminal's palette by its number, or one by its parts. */
type ScreenColor = number | string;

export type ScreenStyle = {
  color?: ScreenColor;
  ground?: ScreenColor;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  strike?: true;
  inverse?: true;
};

export type ScreenRun = { text: string; style: ScreenStyle };
export type ScreenLine = readonly ScreenRun[];

/** Any escape sequence; those that end with `m` style what follows, all others are left out. */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for
  /\u001b(?:\[([0-9;:]*)([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()][A-Za-z0-9]|[@-Z\\^_=>])/g;

export function readScreen(ansi: string): ScreenLine[] {
  let style: ScreenStyle = {};
  return ansi.split(/\r?\n/).map((line) => {
    const runs: ScreenRun[] = [];
    let from = 0;
    for (const match of line.matchAll(SEQUENCE)) {
      pushRun(runs, line.slice(from, match.index), style);
      from = match.index + match[0].length;
      if (match[2] === "m") style = applyCodes(style, match[1] ?? "");
    }
    pushRun(runs, line.slice(from), style);
    return runs;
  });
}

function pushRun(runs: ScreenRun[], text: string, style: ScreenStyle): void {
  if (text !== "") runs.push({ text, style });
}

function applyCodes(before: ScreenStyle, codes: string): ScreenStyle {
  let style = before;
  const numbers = codes.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 38 || code === 48) {
      const { color, used } = readColor(numbers.slice(at + 1));
      if (color !== undefined) style = code === 38 ? { ...style, color } : { ...style, ground: color };
      at += used;
    } else style = applyCode(style, code);
  }
  return style;
}

function applyCode(style: ScreenStyle, code: number): ScreenStyle {
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 };
  if (code >= 40 && code <= 47) return { ...style, ground: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, ground: code - 92 };
  switch (code) {
    case 0:
      return {};
    case 1:
      return { ...style, bold: true };
    case 2:
      return { ...style, dim: true };
    case 3:
      return { ...style, italic: true };
    case 4:
      return { ...style, underline: true };
    case 7:
      return { ...style, inverse: true };
    case 9:
      return { ...style, strike: true };
    case 22:
      return without(style, "bold", "dim");
    case 23:
      return without(style, "italic");
    case 24:
      return without(style, "underline");
    case 27:
      return without(style, "inverse");
    case 29:
      return without(style, "strike");
    case 39:
      return without(style, "color");
    case 49:
      return without(style, "ground");
    default:
      return style;
  }
}

function without(style: ScreenStyle, ...names: (keyof ScreenStyle)[]): ScreenStyle {
  const left = { ...style };
  for (const name of names) delete left[name];
  return left;
}

/** `5;N`, or `2;R;G;B`. */
function readColor([kind, ...rest]: readonly number[]): { color?: ScreenColor; used: number } {
  if (kind === 5) return { color: indexed(rest[0] ?? 0), used: 2 };
  if (kind !== 2) return { used: 1 };
  const parts = rest.slice(0, 3).map((part) => Math.max(0, Math.min(255, part)));
  return { color: `rgb(${parts.join(" ")})`, used: 4 };
}

/** The first 16 are the theme's own; then a cube of 6×6×6, then greys. */
function indexed(index: number): ScreenColor {
  if (index < 16) return index;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return `rgb(${level(Math.floor(cube / 36))} ${level(Math.floor(cube / 6) % 6)} ${level(cube % 6)})`;
}
