import { boxText } from "./read-screen.js";
import { compact, type Screen } from "./screen.js";
import type { InputBox } from "./screen-rule.js";

/** A CLI that shows a long paste as one word: `[Pasted text #1 +4 lines]`, `[Pasted ~5 lines]`, `[Paste #1 - 60 lines]`, `[first words... 60 lines]`. */
const collapsed = /\[Paste[d#]|\.\.\.\d+lines\]/u;

/**
 * Where our text is: in the box, unsent; only above it, so sent or queued; nowhere, which says nothing. Agents repeat
 * tags, so the whole screen is never searched.
 */
export function findTag(screen: Screen, box: InputBox | undefined, tag: string): "box" | "above" | "nowhere" {
  if (box !== undefined) {
    const text = boxText(box);
    if (text.includes(compact(tag)) || collapsed.test(text)) return "box";
  }
  return tagCount(screen, box, tag) > 0 ? "above" : "nowhere";
}

/** How often the tag is to be seen above the box, or anywhere when there is no box. A narrow pane may wrap it. */
export function tagCount(screen: Screen, box: InputBox | undefined, tag: string): number {
  const above = screen.rows.slice(0, box?.top).map(({ text }) => text.trim());
  return compact(above.join("")).split(compact(tag)).length - 1;
}
