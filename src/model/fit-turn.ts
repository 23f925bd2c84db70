import type { TurnCut, TurnWork } from "./turn.js";

/*
 * What the journal keeps of a turn is at most 256 KB of JSON. The end of everything says most, so beginnings go: of the
 * tools, then of the thoughts, then of the text. A text that was cut begins with `…`, and `cut` says how much that is.
 */

const TURN_MOST = 256 * 1024;
/** For what else stands in the event. */
const REST = 8 * 1024;
const TOOLS_MOST = 64 * 1024;
/** No character takes more in JSON. */
const WIDEST = 6;

type FittedTurn = { text: string } & TurnWork;

/** `others` is how many bytes the event has besides. */
export function fitTurn(text: string, work: TurnWork, others = 0): FittedTurn {
  const size = text.length + (work.thoughts?.length ?? 0);
  const few = (work.tools?.length ?? 0) + (work.plan?.length ?? 0) === 0;
  if (few && size * WIDEST + others + REST < TURN_MOST) return { text, ...work };
  const tools = fitTools(work.tools ?? []);
  const left = TURN_MOST - REST - others - sizeOf(tools.kept) - sizeOf(work.plan ?? []);
  const textSize = sizeOf(text);
  const thoughts = cutBeginning(work.thoughts ?? "", Math.max(left / 4, left - textSize));
  const said = cutBeginning(text, left - sizeOf(thoughts.text));
  const cut = addCuts(work.cut, { text: said.cut, thoughts: thoughts.cut, tools: tools.cut });
  return {
    text: said.text,
    ...work,
    ...(thoughts.text === "" ? {} : { thoughts: thoughts.text }),
    ...(tools.kept.length === 0 ? {} : { tools: tools.kept }),
    ...(cut === undefined ? {} : { cut }),
  };
}

function fitTools(tools: NonNullable<TurnWork["tools"]>) {
  let bytes = 2;
  let from = tools.length;
  while (from > 0) {
    bytes += sizeOf(tools[from - 1]) + 1;
    if (bytes > TOOLS_MOST) break;
    from--;
  }
  return { kept: tools.slice(from), cut: from };
}

function addCuts(before: TurnCut = {}, now: Required<TurnCut>): TurnCut | undefined {
  const sum: TurnCut = { ...before };
  for (const key of ["text", "thoughts", "tools"] as const) {
    if (now[key] > 0) sum[key] = (before[key] ?? 0) + now[key];
  }
  return Object.keys(sum).length === 0 ? undefined : sum;
}

/** The end of a text that fits, with `…` before it where something is missing. */
function cutBeginning(text: string, bytes: number): { text: string; cut: number } {
  if (text.length * WIDEST <= bytes || sizeOf(text) <= bytes) return { text, cut: 0 };
  let left = bytes - sizeOf("…");
  let from = text.length;
  while (from > 0) {
    left -= bytesOf(text.charCodeAt(from - 1));
    if (left < 0) break;
    from--;
  }
  // Not between the two halves of one character.
  if (/^[\uDC00-\uDFFF]/.test(text.slice(from, from + 1))) from++;
  return { text: `…${text.slice(from)}`, cut: from };
}

/** In UTF-8, as JSON. */
function sizeOf(value: unknown): number {
  const json = JSON.stringify(value) ?? "";
  let bytes = json.length;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    // Halves of a pair are two bytes each.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

function bytesOf(code: number): number {
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x20) return WIDEST;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  // A half that stands alone is written as an escape.
  return code >= 0xd800 && code <= 0xdfff ? WIDEST : 3;
}
