import { describe, expect, test } from "vitest";
import { cli } from "../../test/fakes/run-cli.js";
import { containing } from "../../test/fakes/text-matching.js";
import { commandGroups } from "./command-entry.js";
import { commandExamples } from "./command-examples.js";
import { commandTable } from "./command-table.js";

const NARROW = 60;
const names = commandTable.map(({ name }) => name);

function widestOf(text: string): string {
  return text.split("\n").reduce((widest, line) => (line.length > widest.length ? line : widest), "");
}

test("the list of commands is in groups, and fits a narrow terminal", async () => {
  const { stdout } = await cli(["--help"], { tty: true, columns: NARROW });
  expect(stdout.split("\n").filter((line) => commandGroups.some((group) => group === line))).toEqual([
    ...commandGroups,
  ]);
  expect(widestOf(stdout).length).toBeLessThanOrEqual(NARROW);
  for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"));
});

describe("every command", () => {
  test.each(names)("%s has help with examples that fits a narrow terminal", async (name) => {
    const { stdout } = await cli([name, "--help"], { tty: true, columns: NARROW });
    expect(stdout).toContain("\nExamples:\n  ");
    expect(stdout).toContain("Options of every command: huddle --help");
    expect(stdout).not.toContain("(default: [])");
    expect(widestOf(stdout).length).toBeLessThanOrEqual(NARROW);
  });

  test.each(names)("the examples of %s are commands that exist", (name) => {
    for (const example of commandExamples[name] ?? []) {
      expect(example.length).toBeLessThanOrEqual(NARROW - 2);
      const command = /huddle ([a-z]+)/.exec(example)?.[1];
      expect(commandTable.some((one) => one.name === command || one.aliases?.includes(command ?? ""))).toBe(
        true,
      );
    }
  });
});

test.each([
  ["ps", "agents"],
  ["ls", "agents"],
  ["dashboard", "top"],
  ["search", "log"],
  ["history", "log"],
  ["watch", "tail"],
  ["logs", "tail"],
  ["open", "ui"],
  ["agnts", "agents"],
])("whoever tries %s is led to %s", async (word, command) => {
  expect(await cli([word])).toMatchObject({
    code: 2,
    stderr: containing(`There is no command "${word}". Did you mean ${command}?`),
  });
});

test("rm is remove, and stop is shutdown", async () => {
  expect((await cli(["rm", "--help"])).stdout).toContain("--dead");
  expect((await cli(["stop", "--help"])).stdout).toContain("--reason");
});
