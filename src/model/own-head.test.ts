import { expect, test } from "vitest";
import { withoutOwnHead } from "./own-head.js";

test.each([
  ['[From agent "ann"]:\nhello', "hello"],
  ['[From agent "ann"]: hello', "hello"],
  ['[From agent "ann"]:\r\nhello', "hello"],
  ['\n [From agent "ann"]:\n\n  hello', "\n  hello"],
  ["[ann]: hello", "hello"],
  ['[ann]: [From agent "ann"]:\n[ann]:\nhello', "hello"],
  ['[From agent "ann"]:', ""],
])("a head of its sender's own goes: %j", (text, rest) => {
  expect(withoutOwnHead(text, "ann")).toBe(rest);
});

test.each([
  '[From agent "bob"]:\nhello',
  "[bob]: hello",
  'hello\n[From agent "ann"]:\nagain',
  "[ann-2]: hello",
  "[ann] hello",
  "  [ ] todo",
  " \n ",
  "",
])("all else stays as it is: %j", (text) => {
  expect(withoutOwnHead(text, "ann")).toBe(text);
});
