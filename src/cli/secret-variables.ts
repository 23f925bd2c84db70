import { readFileSync } from "node:fs";

/*
 * A hub in the background gets no secret of the shell that starts it, but for the variables that its configuration says a
 * secret is in. They are looked for in the text: to load all that decodes a configuration would cost every start.
 */

/** `secret: env:NAME` in a file, in a flow of it, or set on the command line. */
const named = /(?:^|[\s{,.])["']?secret["']?\s*[:=]\s*["']?env:([A-Za-z_][A-Za-z0-9_]*)/g;

export function secretVariables(texts: readonly string[]): Set<string> {
  const lines = texts.flatMap((text) => text.split("\n")).filter((line) => !/^\s*#/.test(line));
  return new Set(lines.flatMap((line) => [...line.matchAll(named)].flatMap(([, name]) => name ?? [])));
}

/** What is wrong with the file is the hub's to say. */
export function configText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
