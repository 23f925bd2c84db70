import type { CliName } from "../vendors/clients.js";
import type { Choice, Dialog } from "./dialog.js";
import type { Cell, Screen } from "./screen.js";
import { isBlank } from "./screen.js";

/*
 * What is known of one CLI's screen. A rule finds the input box, which is the only positive evidence that the CLI takes
 * text, and says whether the box is empty and whether a turn runs. Agents write what they like above their box, so a rule
 * trusts only places that their text cannot reach: the title, the rows below the box, columns left of the text.
 */

export type InputBox = {
  /** First and last row that belong to the box, its frame included. */
  top: number;
  bottom: number;
  /** What is written in it, without prompt and frame: one list of cells per row. */
  content: readonly (readonly Cell[])[];
  /** Enter would do something other than send to the model: run a shell command, store a memory. */
  special: boolean;
  /** The column at which the transcript above it ends, where a scroll bar or a side bar stands beside that. */
  right?: number;
};

export type ScreenRule = {
  cli: CliName;
  /** The title that it sets. It stays when the CLI is gone. */
  title?: RegExp;
  findBox(screen: Screen): InputBox | undefined;
  isEmpty(screen: Screen, box: InputBox): boolean;
  isBusy(screen: Screen, box: InputBox): boolean;
  /** The permission dialog on a screen without a box; undefined for any other dialog. */
  readDialog(screen: Screen): Dialog | undefined;
  /** What is chosen in it at present, where an option has no key. */
  readChoice?(screen: Screen): Choice | undefined;
  /**
   * Rows of the transcript: where the agent's own output begins, what a failed and a cancelled turn show, and what is
   * the CLI's own (spinners, hints) and not the agent's words.
   */
  marks: { output: RegExp; failed: RegExp; cancelled: RegExp; chrome: RegExp };
  /** The row of a command that has not ended. */
  running?: RegExp;
  /**
   * What stands before what was sent to it, where the transcript repeats that: before its first row, or before `each`.
   * `shaded`: only its background tells it from the agent's words. `beside`: what the CLI adds to the first row. `goesOn`: the
   * rows in which a message goes on, where others follow it without a blank one.
   */
  sent: { before: RegExp; each?: true; shaded?: true; beside?: RegExp; goesOn?: RegExp };
  /** At a usage limit it says that it will go on by itself; one Escape keeps it from that. */
  goesOnByItself?(screen: Screen, box: InputBox): boolean;
  /** Between paste and Enter, in milliseconds, once the box holds the text. */
  settleMs: number;
  /** How long the box may take to show a paste. */
  boxMs: number;
  /** How long a sent line may take to start a turn, when that is longer than the configured time. */
  confirmMs: number;
  /** Escapes that cancel a turn. */
  escapes: number;
  /** A prompt that was cancelled is not in its history. */
  forgetsCancelled?: true;
  /** It shows its box only when, or takes a turn only after, its MCP servers are there. */
  startsWithTools: boolean;
  /** Its box is there before a session that it takes up, and what is typed then is lost. What was said in that session shows that it has it. */
  showsHistoryLate?: true;
  /** Empties the box of our own line, which a CLI puts back when a turn is cancelled before it answered. */
  clearKey: string;
  /** It reads no file that git ignores. */
  refusesIgnored?: true;
};

/** Blank, or a placeholder: dim throughout, but for the one character under a cursor that the CLI draws itself. */
export function isBlankOrDim(content: readonly (readonly Cell[])[]): boolean {
  const visible = content.flat().filter(({ char }) => !isBlank(char));
  if (visible.length === 0) return content.length <= 1;
  const [first, ...rest] = visible;
  if (first?.inverse === true && !first.dim) return rest.length > 0 && rest.every(({ dim }) => dim);
  return visible.every(({ dim }) => dim);
}

export function textOf(cells: readonly Cell[]): string {
  return cells.map(({ char }) => char).join("");
}

export function lastRowMatching(screen: Screen, pattern: RegExp, below = screen.rows.length): number {
  for (let row = below - 1; row >= 0; row--) if (pattern.test(textAt(screen, row))) return row;
  return -1;
}

export function textAt(screen: Screen, row: number): string {
  return screen.rows[row]?.text ?? "";
}

export function textsBetween(screen: Screen, from: number, to: number): string[] {
  return screen.rows.slice(Math.max(0, from), Math.max(0, to)).map(({ text }) => text);
}

/** What the footers of dialogs say, in any CLI. */
export const dialogFooter =
  /\b(?:enter|↵) (?:to )?(?:confirm|select|submit|continue)\b|\besc (?:to )?(?:cancel|exit|close|go back|quit)\b/iu;
