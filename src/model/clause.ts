import { ESCAPES, replaceUnsafe } from "./unsafe-text.js";

/** A sentence as a part of another: on one line, without its full stop. Words of others in it are quoted already. */
export function clause(sentence: string): string {
  return replaceUnsafe(sentence.replace(ESCAPES, "").replace(/\s+/g, " "), () => "")
    .trim()
    .replace(/\.$/, "");
}
