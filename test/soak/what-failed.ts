import { stripVTControlCharacters } from "node:util";

/** Of what is shown of a violation. */
const LINES = 15;

/** What a command that failed printed about it: the first test that failed, or else its last lines; and what it says is left behind. */
export function whatFailed(printed: string): string[] {
  const lines = stripVTControlCharacters(printed)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const first = lines.findIndex((line) => line.includes("Failed Tests"));
  const said = first < 0 ? lines.slice(-LINES) : lines.slice(first, first + LINES);
  return [...said, ...lines.filter((line) => line.startsWith("✗") && !said.includes(line))];
}
