import { expect, test } from "vitest";
import { readSettings } from "./read-settings.js";

test("a settings file may have comments and a comma at its end, and strings that look like comments", () => {
  const text = `{
    // how it looks
    "ui": { "theme": "dark // no, light", /* later: */ "list": [1, 2,] },
  }`;
  expect(readSettings(text, "f")).toEqual({ ui: { theme: "dark // no, light", list: [1, 2] } });
  expect(readSettings(undefined, "f")).toEqual({});
  expect(readSettings(" \n", "f")).toEqual({});
});

test.each([
  ['{\n"a": }', "ValueExpected in line 2"],
  ['{"a": 1', "CloseBraceExpected in line 1"],
  ["[1]", "it is not an object"],
  ["null", "it is not an object"],
])("%j is refused with the reason and the way out", (text, why) => {
  expect(() => readSettings(text, "~/.gemini/settings.json")).toThrow(
    `~/.gemini/settings.json cannot be read: ${why}. Fix it and retry.`,
  );
});
