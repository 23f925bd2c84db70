import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findFaults, findUnfilled } from "./document-table.js";

const page = readFileSync(new URL("../docs/documents.md", import.meta.url), "utf8");

function readFile(path: string): string | undefined {
  try {
    return readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}

test("every row of docs/documents.md has its number, a state, and tests that exist", () => {
  expect(findFaults(page, readFile)).toEqual([]);
});

test("no row of docs/documents.md waits for its test to be filled in", () => {
  expect(findUnfilled(page)).toEqual([]);
});

describe("the check itself", () => {
  const proof = '[a](../src/a.test.ts) "it holds"';
  const files: Record<string, string> = {
    "src/a.test.ts":
      'test("it holds", () => {});\ntest.each([1])(\n  `%s too`,\n  () => {},\n); // "a comment"',
  };
  const head = "| # | Asks | Here | State | Test |\n|---|---|---|---|---|\n";
  const others = ["001", "002", "003", "004"].map(
    (document) => `## ${document} Another\n\n${head}| ${document}-1 | a | b | works | ${proof} |\n`,
  );
  const faultsOf = (...rows: string[]) =>
    findFaults([`## 000 One\n\n${head}${rows.join("\n")}\n`, ...others].join("\n"), (path) => files[path]);

  test("a sound table has no faults", () => {
    expect(
      faultsOf(
        `| 000-1 | a \\| b | c | works | ${proof}; [a](../src/a.test.ts) "%s too" |`,
        "| 000-2 | a | b | not yet: the desk | |",
        `| 000-3 | a | b | part: peers | ${proof} |`,
        "| 000-4 | a | b | works | TODO(h000) |",
      ),
    ).toEqual([]);
  });

  test.each([
    ["a file that is not there", 'works | [b](../src/b.test.ts) "it holds"', "there is no src/b.test.ts"],
    ["a name that is not there", 'works | [a](../src/a.test.ts) "it"', "is called"],
    ["a name in a comment", 'works | [a](../src/a.test.ts) "a comment"', "is called"],
    ["a file without a name", "works | [a](../src/a.test.ts)", "not a link to a test"],
    ["a second test that is not there", `works | ${proof}; [a](../src/a.test.ts) "no"`, "is called"],
    ["no state", ` | ${proof}`, 'the state is ""'],
    ["another state", `done | ${proof}`, 'the state is "done"'],
    ["not yet, without what is missing", "not yet |", 'the state is "not yet"'],
    ["no test, though it works", "works |", "no test is named"],
    ["a cell too many", `works | ${proof} | x`, "not five cells"],
  ])("%s is found", (_, rest, fault) => {
    expect(faultsOf(`| 000-1 | a | b | ${rest} |`)).toEqual([expect.stringContaining(fault)]);
  });

  test("an empty cell is found", () => {
    expect(faultsOf(`| 000-1 | | | works | ${proof} |`)).toHaveLength(2);
  });

  test.each([
    ["a number that is missing", ["000-1", "000-3"]],
    ["a number that comes twice", ["000-1", "000-1"]],
    ["a number of another document", ["000-1", "001-2"]],
  ])("%s is found", (_, numbers) => {
    const rows = numbers.map((number) => `| ${number} | a | b | works | ${proof} |`);
    expect(faultsOf(...rows)).toEqual([expect.stringContaining("000-2 is missing")]);
  });

  test("a document without a table is found", () => {
    expect(findFaults(others.join("\n"), (path) => files[path])).toEqual(["000: there is no table"]);
  });

  test("a row that waits is found", () => {
    expect(findUnfilled("| 000-1 | a | b | works | TODO(addr) |\n| 000-2 |")).toHaveLength(1);
  });
});
