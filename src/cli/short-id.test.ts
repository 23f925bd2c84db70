import { expect, test } from "vitest";
import { refusalOf } from "../../test/refusal-of.js";
import { matchId, shortenIds, shortId } from "./short-id.js";

const one = "01a1e564-14bd-7b71-9353-c29910abec24";
const two = "01a1e564-14bd-7b71-9353-c29910ab9f24";

test("an id is shown by its end; one that somebody chose is shown whole, and harmless", () => {
  expect(shortId(one)).toBe("abec24");
  expect(shortId(`task-${one}`)).toBe("abec24");
  expect(shortId("mine")).toBe("mine");
  expect(shortId("a\x1b[2J")).toBe("a\\x1b[2J");
  expect(shortenIds(`huddle approve ${one} once`)).toBe("huddle approve abec24 once");
});

test.each([
  ["abec24", one],
  ["EC24", one],
  ["9f24", two],
  [one, one],
  ["nothing", "nothing"],
  ["", ""],
])("%j is %j", (given, id) => {
  expect(matchId(given, [one, two], "messages")).toBe(id);
});

test("a beginning will do where nothing ends so", () => {
  expect(matchId("mi", ["mine", "yours"], "messages")).toBe("mine");
});

test("an end of two ids is refused, with both", () => {
  const { message, details } = refusalOf(() => matchId("24", [one, two], "messages"));
  expect(message).toBe('"24" is the end of 2 messages');
  expect(details["hint"]).toContain(two);
});
