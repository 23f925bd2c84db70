import { expect, test } from "vitest";
import { excerptAround, findHits } from "./find-hits.js";

const marked = (text: string, ...terms: string[]) =>
  findHits(text, terms).map(([from, to]) => text.slice(from, to));

test("whole words are hits, in any case and with or without accents", () => {
  expect(marked("Round, round! rounding", "round")).toEqual(["Round", "round"]);
  expect(marked("Grüße aus KÖLN", "koln")).toEqual(["KÖLN"]);
  expect(marked("🙂 koln", "KÖLN")).toEqual(["koln"]);
});

test("a star marks the beginnings of words, quotes mark phrases", () => {
  expect(marked("roundHalfUp is rounding; around is not", "round*")).toEqual(["round", "round"]);
  expect(marked("is the auth -- module ready", "auth module")).toEqual(["auth -- module"]);
});

test("terms without a letter mark nothing", () => {
  expect(marked("a -- b", "--")).toEqual([]);
  expect(marked("a (b) [c", "(b", "[c")).toEqual(["b", "c"]);
});

test("an excerpt is one line and begins at most 24 characters before the first hit", () => {
  const { text, hits } = excerptAround(`${"long words before it ".repeat(20)}\nthe round number`, ["round"]);
  expect(text.startsWith("… ")).toBe(true);
  const [first] = hits;
  expect(text.slice(first?.[0], first?.[1])).toBe("round");
  expect(first?.[0]).toBeLessThanOrEqual(24 + "… ".length);
});

test("an excerpt of a text without a hit is its beginning", () => {
  expect(excerptAround("a\n b", [])).toEqual({ text: "a b", hits: [] });
});
