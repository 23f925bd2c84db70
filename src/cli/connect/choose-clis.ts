import { type FoundProgram, findPrograms } from "../../connect/find-programs.js";
import { nearest } from "../../model/nearest.js";
import { usageError } from "../usage-error.js";

/** Other words for them that people write. */
const aliases: Readonly<Record<string, string>> = {
  "claude-code": "claude",
  code: "vscode",
  "vs-code": "vscode",
  "copilot-cli": "copilot",
  "gemini-cli": "gemini",
  "qwen-code": "qwen",
};

/** Those that were named, or all, with where each is. */
export function chooseClis(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): FoundProgram[] {
  const all = findPrograms(env);
  if (names.length === 0) return all;
  const wanted = new Set(names.map((name) => nameOf(name, all)));
  return all.filter(({ connection }) => wanted.has(connection.cli));
}

function nameOf(given: string, all: readonly FoundProgram[]): string {
  const known = all.map(({ connection }) => connection.cli);
  const name = aliases[given] ?? given;
  if (known.includes(name)) return name;
  const meant = nearest(given, known);
  throw usageError(
    `Huddle does not know how to connect "${given}"${meant === undefined ? "" : `. Did you mean ${meant}?`}`,
    `It knows: ${known.join(", ")}. Any other MCP client: see docs/connecting.md`,
  );
}
