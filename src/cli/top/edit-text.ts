import { segmentsOf } from "../segments-of.js";
import type { Key } from "./keys.js";

/** A line that is typed at its end. */
export function editText(text: string, key: Key): string {
  switch (key.kind) {
    case "character":
    case "paste":
      return text + key.text;
    case "backspace":
      return dropLast(text);
    case "deleteWord":
      return text.replace(/\S*\s*$/u, "");
    case "deleteLine":
      return "";
    default:
      return text;
  }
}

/** What a person sees as one character, however it is written. */
function dropLast(text: string): string {
  return text.slice(0, [...segmentsOf(text)].at(-1)?.index ?? 0);
}
