import { readdirSync, readFileSync } from "node:fs";

/** The documents that print commands for people. */
export const documents: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md") && name !== "documents.md")
    .map((name) => `docs/${name}`),
];

export type Block = { language: string; lines: string[] };

export function readBlocks(document: string): Block[] {
  const text = readFileSync(document, "utf8");
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)].map(
    ([, indent = "", language = "", body = ""]) => ({
      language,
      lines: body
        .trimEnd()
        .split("\n")
        .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)),
    }),
  );
}

/** Blocks that a person copies into a shell: those that say so, and those without a language whose lines are commands of ours. */
export function readScripts(document: string): Block[] {
  return readBlocks(document).flatMap(({ language, lines }) => {
    if (language === "sh") return [{ language, lines }];
    const commands = lines.filter((line) => /^(\w+=\S+ )*huddle( |$)|^npm |\| huddle /.test(line));
    return language === "" && commands.length > 0 ? [{ language, lines: commands }] : [];
  });
}

/** The words of each call of `huddle` in a line, without what the shell does with it. */
export function huddleCalls(line: string): string[][] {
  const words = [...line.replace(/\s+# .*$/, "").matchAll(/'[^']*'|"[^"]*"|[|&;()]|\$\(|[^\s|&;()]+/g)].map(
    ([word]) => word,
  );
  return words.flatMap((word, at) => {
    const before = words[at - 1];
    if (word !== "huddle" || !(before === undefined || /^([|&;(]|\$|\$\(|.*=.*)$/.test(before))) return [];
    const rest = words.slice(at + 1);
    const end = rest.findIndex((next) => /^([|&;()]|\d*[<>].*)$/.test(next));
    return [
      rest.slice(0, end === -1 ? rest.length : end).map((each) => each.replace(/^(['"])(.*)\1$/s, "$2")),
    ];
  });
}
