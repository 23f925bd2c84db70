import { expect, test } from "vitest";
import { findJson } from "./find-json.js";

const json = (value: unknown) => ({ value });

test.each([
  ["an object", '{"a": 1}', { a: 1 }],
  ["a number with white space around it", "\n 42 \n", 42],
  ["a text", '"yes"', "yes"],
])("the whole answer: %s", (_, text, value) => {
  expect(findJson(text)).toEqual(json(value));
});

test.each([
  ["the last of two", 'First:\n```json\n{"a": 1}\n```\nNow:\n```json\n{"a": 2}\n```\nDone.', { a: 2 }],
  ["one before other JSON", '```json\n{"a": 1}\n```\nNot this: {"a": 2}', { a: 1 }],
  ["one with fences in its texts", '~~~json\n{"a": "```"}\n~~~', { a: "```" }],
  ["one with a capital name and CRLF", '```JSON\r\n{"a": 1}\r\n```\r\n', { a: 1 }],
])("a fenced block: %s", (_, text, value) => {
  expect(findJson(text)).toEqual(json(value));
});

test.each([
  ["in prose", 'Here you are: {"a": {"b": [1, "}"]}} I hope it helps.', { a: { b: [1, "}"] } }],
  ["the last of several", '{"a": 1} and then [2, 3]', [2, 3]],
  ["after brackets that are none", "I [sic] used {braces, } and got [1]", [1]],
  ["after one that is never closed", 'so { then ["x\\"]"]', ['x"]']],
])("the last object or list: %s", (_, text, value) => {
  expect(findJson(text)).toEqual(json(value));
});

test.each([
  ["prose alone", "All tests pass.", "there is no JSON in it"],
  ["nothing", "", "there is no JSON in it"],
  ["a block that is no JSON", "```json\n{a: 1}\n```", "its last block of JSON is not valid JSON"],
])("none: %s", (_, text, problem) => {
  expect(findJson(text)).toEqual({ problem });
});

test("of an answer that was cut only a fenced block counts: what else is whole may be a part of what is not", () => {
  expect(findJson('…"a": 1}, {"a": 2}]', true)).toMatchObject({
    problem: expect.stringContaining("only its end was kept") as unknown,
  });
  expect(findJson('…log\n```json\n{"a": 2}\n```', true)).toEqual(json({ a: 2 }));
});
