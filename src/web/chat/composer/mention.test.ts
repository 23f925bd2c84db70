import { expect, test } from "vitest";
import { dropMention, findMention, matchNames } from "./mention.js";
import { type Recipient, sayOutlook } from "./outlook.js";

test("an @ at the beginning of a word is a recipient, elsewhere it is text", () => {
  expect(findMention("hi @pa", 6)).toEqual({ from: 3, to: 6, typed: "pa" });
  expect(findMention("@", 1)).toEqual({ from: 0, to: 1, typed: "" });
  expect(findMention("me@example.com", 14)).toBeUndefined();
  expect(findMention("hi @pa there", 12)).toBeUndefined();
});

test("a chosen recipient leaves the text", () => {
  expect(dropMention("hi @pa there", { from: 3, to: 6, typed: "pa" })).toBe("hi there");
});

test("names that begin so come first", () => {
  const names = ["cart-dev", "pay-dev", "e2e-pay"].map((name) => ({ name }));
  expect(matchNames(names, "pay").map(({ name }) => name)).toEqual(["pay-dev", "e2e-pay"]);
});

const agent: Recipient = { name: "ann", backend: "codex", state: "idle", since: "", pulls: false };

test.each<[Partial<Recipient>, "queue" | "interrupt", string]>([
  [{}, "queue", "It reads this at once."],
  [{ state: "busy" }, "queue", "It reads this when its turn ends."],
  [{ state: "busy" }, "interrupt", "Stops its turn now; it reads this next."],
  [{ state: "offline" }, "queue", "It is offline: this is held until it is back."],
  [{ paused: true }, "queue", "It is paused: this is held until you resume it."],
  [{ pulls: true }, "queue", "It reads this when it next looks for messages."],
])("what will happen is said before: %j, %s", (more, mode, words) => {
  expect(sayOutlook({ ...agent, ...more }, mode, 3)).toBe(words);
});
