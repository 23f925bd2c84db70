import { expect, test } from "vitest";
import { wantsJson, wordsOf } from "./globals.js";

test.each([
  [
    ["send", "bob", "hi"],
    ["send", "bob", "hi"],
  ],
  [["--json", "--timeout", "5s", "--hub", "http://x", "status"], ["status"]],
  [
    ["--timeout=5s", "-q", "send", "bob", "-"],
    ["send", "bob", "-"],
  ],
  [
    ["send", "bob", "--", "--json"],
    ["send", "bob", "--json"],
  ],
  [[], []],
])("the words of %j are %j", (argv, words) => {
  expect(wordsOf(argv)).toEqual(words);
});

test("--json counts as an option only before --", () => {
  expect(wantsJson(["send", "--json"])).toBe(true);
  expect(wantsJson(["send", "bob", "--", "--json"])).toBe(false);
});
