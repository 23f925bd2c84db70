import { CONTROLS } from "../../model/unsafe-text.js";
import { RuntimeError } from "../runtime.js";

/** One line below what any CLI collapses or splits: longer content is fetched by the agent with a tool. */
const longest = 149;
const forbidden = new RegExp(`[${CONTROLS}\\u2028\\u2029]`, "g");

/**
 * What may be pasted: one line, without control characters, by which a text could end the paste and press keys.
 */
export function pasteLine(line: string): string {
  const clean = line.replace(/[\t\n\r]+/g, " ").replace(forbidden, "");
  const length = Array.from(clean).length;
  if (length === 0 || length > longest) {
    throw new RuntimeError(
      "NOT_TAKEN",
      `A pane takes one line of 1 to ${longest} characters, not ${length}: send a line that says where to read the rest`,
      { length, longest },
    );
  }
  return clean;
}
