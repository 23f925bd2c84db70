import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandTable } from "../src/cli/command-table.js";
import { buildProgram } from "../src/cli/program.js";
import { ownRows } from "./doc-commands/doc-worlds.js";
import { documents, huddleCalls, readScripts } from "./doc-commands/read-commands.js";

/* What README and docs print is what the program knows. test/e2e-long/doc-commands.test.ts runs it. */

const names = new Set(commandTable.map(({ name }) => name));

async function parse(words: readonly string[]): Promise<void> {
  const act = () => async () => {};
  const program = await buildProgram({ command: words[0], act, write: () => {} });
  await program.parseAsync(words, { from: "user" });
}

test.each(documents)("the program knows every command, argument and option in %s", async (document) => {
  for (const line of readScripts(document).flatMap(({ lines }) => lines)) {
    for (const words of huddleCalls(line)) {
      const [command] = words;
      expect(command === undefined || names.has(command), line).toBe(true);
      await expect(parse(words), line).resolves.toBeUndefined();
    }
  }
});

test("every npm script that is printed is there", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const printed = documents.flatMap((document) =>
    readScripts(document).flatMap(({ lines }) =>
      lines.flatMap((line) =>
        [...line.matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map(([, name = ""]) => name),
      ),
    ),
  );
  const own = new Set(["ci", "install", "pack", "uninstall", "config"]);
  expect(printed.filter((name) => !own.has(name) && scripts[name] === undefined)).toEqual([]);
});

test("no text sends anybody to a package of that name in the registry", () => {
  const texts = [...documents, "PROTOCOL.md", "CONTEXT.md", "CHANGELOG.md"];
  for (const name of texts) {
    if (!existsSync(name)) continue;
    for (const [call] of readFileSync(name, "utf8").matchAll(/npx[^`\n]*\bhuddle\b[^`\n]*/g))
      expect(call, name).toMatch(/--package \.?\/?\S*\.tgz huddle/);
    expect(readFileSync(name, "utf8"), name).not.toMatch(/npm (install|i|add) (-g |--global )?huddle\b/);
  }
});

test("nothing is left out of a document that does not print it any more", () => {
  for (const document of documents) {
    const lines = readScripts(document).flatMap((block) => block.lines);
    for (const row of ownRows(document))
      expect(
        lines.some((line) => line.startsWith(row)),
        `${document}: ${row}`,
      ).toBe(true);
  }
});
