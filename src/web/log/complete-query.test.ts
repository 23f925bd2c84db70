import { expect, test } from "vitest";
import { readFieldQuery, sayQuery, suggest, takeChips, wordBefore } from "./complete-query.js";

const known = { agents: ["tax-dev", "pay-dev", "checkout-lead"], now: new Date("2026-03-10T12:00:00Z") };
const labels = (word: string) => suggest(word, known).map(({ label }) => label);

test("a query in an address is chips and words, and says the same again", () => {
  const field = readFieldQuery('round from:tax-dev "the sum" after:1h');
  expect(field.chips.map(({ written }) => written)).toEqual(["from:tax-dev", "after:1h"]);
  expect(field.text).toBe('round "the sum"');
  expect(sayQuery(field)).toBe('from:tax-dev after:1h round "the sum"');
});

test("a filter becomes a chip with the space behind it, wherever it stands", () => {
  expect(takeChips({ chips: [], text: "from:tax-dev" }).chips).toEqual([]);
  const { chips, text } = takeChips({ chips: [], text: "round type:request sum" });
  expect(chips.map(({ written }) => written)).toEqual(["type:request"]);
  expect(text).toBe("round sum");
});

test("a filter without its value is not asked for", () => {
  expect(sayQuery({ chips: [], text: "round from:" })).toBe("round");
});

test("names of filters, agents, types, states and times are suggested", () => {
  expect(labels("fr")).toEqual(["from:"]);
  expect(labels("from:dev")).toEqual(["tax-dev", "pay-dev"]);
  expect(labels("to:al")).toEqual(["all"]);
  expect(labels("type:tur")).toEqual(["turn"]);
  expect(labels("status:und")).toEqual(["undelivered"]);
  expect(labels("after:2026")).toEqual(["2026-03-10", "2026-03-09"]);
  expect(labels("round")).toEqual([]);
});

test("what is completed is the word before the caret", () => {
  expect(wordBefore("round fr sum", 8)).toEqual({ from: 6, word: "fr" });
  expect(wordBefore("round ", 6)).toEqual({ from: 6, word: "" });
});
