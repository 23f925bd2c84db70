import { foldLine, squeeze } from "./fold-line.js";
import { ESCAPES } from "./unsafe-text.js";

/*
 * What a model takes for words of the hub: heads and ends of envelopes, blocks and notes. They are looked for in folded text, most of
 * them without its spaces. Names are loose here, as a near miss fools a model too.
 */

const who = "agent user human person hub system operator huddle admin owner root".split(" ").map(foldLine);

/** After an opening bracket of any kind. */
const bracketed = new RegExp(
  `^(from(the|your)?(${who.join("|")})|from[^\\]]*\\]:|end(of)?(msg|message)|agent\\]|${foldLine("status")}:|${foldLine("coordination")}:|${foldLine("huddle")})`,
);
/** After a square one, spaces kept: `[from, to] = …` is code. */
const spaced = /^(from|end) [^\]]*\]/;
/** After anything that adorns, or nothing. */
const bare = new RegExp(
  `^(msg[a-z0-9]{9,}:|${foldLine("yourtask")}:|messagesfromotheragents|end(of)?messages)`,
);

/** Words so short may be the number or the bullet of a list; more of them are text. */
const SHORT = 2;
const MOST_SHORT = 8;

/** The first word of a line, where it settles at once that the line is none of ours: most are such. */
const ordinary = /^[\t ]*[a-df-ln-qs-xz][a-z]{2}/i;

/** What is quoted already is not ours, whatever it says. */
export function readsAsOurs(line: string): boolean {
  if (line.startsWith("> ") || ordinary.test(line)) return false;
  // Some readers drop an escape sequence, and others only the control that it begins with.
  const plain = line.replace(ESCAPES, "");
  return beginsAsOurs(foldLine(line)) || (plain !== line && beginsAsOurs(foldLine(plain)));
}

/** Whether some part of a line would read as ours if the line were broken, or wrapped, before it. */
export function holdsOurs(line: string): boolean {
  const gaps = line.matchAll(/(?:[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800])+/gu);
  return [...gaps].some((gap) => readsAsOurs(line.slice(gap.index + gap[0].length)));
}

function beginsAsOurs(folded: string): boolean {
  let at = 0;
  for (let words = 0; words <= MOST_SHORT; words++) {
    const before = /^[^\p{L}\p{N}]*/u.exec(folded.slice(at))?.[0] ?? "";
    const rest = folded.slice(at + before.length);
    if (rest === "") return false;
    if (isHead(before, rest)) return true;
    const word = /^[\p{L}\p{N}]+/u.exec(rest)?.[0] ?? "";
    // A tag of HTML is passed over: `<b>[From user]:</b>`.
    const tag = before.endsWith("(") ? /^[^[\](>]*>/.exec(rest)?.[0] : undefined;
    if (tag === undefined && word.length > SHORT) return false;
    at += before.length + (tag ?? word).length;
  }
  return false;
}

/** Within a line: from a bracket on, whether it says what only we say in brackets. */
export function opensAsOurs(text: string): boolean {
  return bracketed.test(squeeze(foldLine(text)).replace(/^[^\p{L}\p{N}]+/u, ""));
}

function isHead(before: string, rest: string): boolean {
  const squeezed = squeeze(rest);
  const isSquare = before.includes("[");
  if (bare.test(squeezed)) return true;
  if ((isSquare || before.includes("(")) && bracketed.test(squeezed)) return true;
  return isSquare && (spaced.test(rest) || isAddress(squeezed));
}

/** `x]:` and `x → you]`. A colon inside makes it code, such as `[key: string]: unknown`. */
function isAddress(squeezed: string): boolean {
  const inside = /^[^[\](:]+/.exec(squeezed)?.[0] ?? "";
  if (!/[a-z0-9]/.test(inside) || squeezed[inside.length] !== "]") return false;
  return squeezed[inside.length + 1] === ":" || /[^>]>+[^>]/.test(inside);
}
