import { expect, test } from "vitest";
import { countBytes, fillBlocks, findMissing } from "./blocks.js";

const parts = [
  ["route GET /a", "Who: any."],
  ["route GET /b", "Who: member."],
] as const;

const block = (name: string, content: string) => `<!-- generated: ${name} -->\n${content}<!-- end -->\n`;

test("a stale block is found and replaced, and the text around it stays", () => {
  const before = `By hand.\n\n${block("route GET /a", "Who: nobody.\n")}\nBy hand, $& and $1 too.\n`;

  const { text, stale, problems } = fillBlocks(before, parts);

  expect(stale).toEqual(["route GET /a"]);
  expect(problems).toEqual([]);
  expect(text).toBe(before.replace("Who: nobody.", "Who: any."));
  expect(fillBlocks(text, parts).stale).toEqual([]);
});

test("what stands in no block is missing", () => {
  const { named } = fillBlocks(block("route GET /a", ""), parts);
  expect(findMissing(parts, named)).toEqual(["route GET /b"]);
});

test.each([
  ["names nothing that exists", block("route GET /c", "Who: any.\n")],
  ["is there twice", block("route GET /a", "").repeat(2)],
  ["has no <!-- end -->", `<!-- generated: route GET /b -->\n${block("route GET /a", "")}`],
  ["has no <!-- end -->", `${block("route GET /a", "")}<!-- generated: route GET /b -->\n`],
])("a block that %s is told of", (problem, document) => {
  expect(fillBlocks(document, parts).problems).toEqual([expect.stringContaining(problem)]);
});

test("a text of a part is taken as it is", () => {
  const price = [["errors", "costs $& and $1"]] as const;
  expect(fillBlocks(block("errors", ""), price).text).toBe(block("errors", "costs $& and $1\n"));
});

test("bytes by hand and generated ones are told apart", () => {
  const generated = block("route GET /a", "Who: any.\n").trimEnd();
  expect(countBytes(`Überall.\n${generated}\n`)).toEqual({ byHand: 11, generated: generated.length });
});
