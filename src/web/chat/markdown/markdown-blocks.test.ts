import { expect, test } from "vitest";
import { splitBlocks } from "./markdown-blocks.js";

const long = "word ".repeat(500).trim();

test("blocks are cut between paragraphs, and together they are the text", () => {
  const text = `${long}\n\n${long}\n\nEnd.`;
  expect(splitBlocks(text)).toHaveLength(3);
  expect(splitBlocks(text).join("")).toBe(text);
});

test.each([
  ["code", `\`\`\`\n${long}\n\nstill code\n\`\`\`\n`],
  ["a list", `- ${long}\n\n- another\n\n  its own paragraph`],
  ["a quote", `> ${long}\n\n> another`],
])("%s is not cut", (_, text) => {
  expect(splitBlocks(text)).toHaveLength(1);
});

test("what grows changes the last block only", () => {
  const before = splitBlocks(`${long}\n\n${long}\n\nEnd`);
  const after = splitBlocks(`${long}\n\n${long}\n\nEnd of it.`);
  expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
});
