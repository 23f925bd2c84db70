import fc from "fast-check";
import { expect, test } from "vitest";
import { checkProperty } from "../../test/fakes/check-property.js";
import { refusalOf } from "../../test/refusal-of.js";
import { HubError } from "./errors.js";
import { parseSearch, prefixOf, splitSearch } from "./search-query.js";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const parse = (text: string) => parseSearch(text, NOW);
const nothing = {
  terms: [],
  from: [],
  to: [],
  types: [],
  statuses: [],
  sources: [],
  betweenAgents: false,
  after: undefined,
  before: undefined,
};

test("words and phrases", () => {
  expect(parse('is "auth ready" --now').terms).toEqual(["is", "auth ready", "--now"]);
  expect(parse("")).toEqual(nothing);
  expect(parse("   ")).toEqual(nothing);
});

test("filters, in any place and in any case; several values of one mean any of them", () => {
  expect(
    parse(
      "hello from:puppet-dev TO:bob to:carol type:request status:Undelivered source:USER source:applet between:agents after:2026-03-01 before:1h",
    ),
  ).toEqual({
    terms: ["hello"],
    from: ["puppet-dev"],
    to: ["bob", "carol"],
    types: ["request"],
    statuses: ["undelivered"],
    sources: ["user", "applet"],
    betweenAgents: true,
    after: Date.parse("2026-03-01"),
    before: NOW - 3_600_000,
  });
});

test.each([
  ["10m", 600_000],
  ["2h", 7_200_000],
  ["3d", 259_200_000],
])("after:%s counts back from now", (value, ago) => {
  expect(parse(`after:${value}`).after).toBe(NOW - ago);
});

test("of several times the narrowest count", () => {
  const { after, before } = parse("after:2h after:1h before:10m before:30m");
  expect([after, before]).toEqual([NOW - 3_600_000, NOW - 1_800_000]);
});

test("what somebody wrote is kept as they wrote it", () => {
  expect(splitSearch('is FROM:"a b" "x y" to:')).toEqual([
    { written: "is", filter: undefined, value: "is" },
    { written: 'FROM:"a b"', filter: "from", value: "a b" },
    { written: '"x y"', filter: undefined, value: "x y" },
    { written: "to:", filter: undefined, value: "to:" },
  ]);
});

test("a star at the end stands for all words that begin so", () => {
  expect(parse("round* *").terms.map(prefixOf)).toEqual(["round", undefined]);
});

test("a quote that is not closed reaches to the end, and what is no filter is looked for", () => {
  expect(parse('"half a phrase').terms).toEqual(["half a phrase"]);
  expect(parse("http://host from: subject:x").terms).toEqual(["http://host", "from:", "subject:x"]);
});

test.each([
  ["after:yesterday", /after: "yesterday" is not a time; write 2026-01-31/],
  ["after:2026-13-40", /is not a time/],
  ["before:then", /before: "then" is not a time/],
  ["type:mesage", /type: there is no "mesage"; did you mean message\?/],
  ["status:lost", /status: there is no "lost"/],
  ["source:agents", /source: there is no "agents"; did you mean agent\? \(known: user, applet, agent\)/],
  ["between:people", /between: there is no "people" \(known: agents\)/],
  ["a ".repeat(33), /at most 32 words at once, not 33/],
])("%s is refused with what would be right", (text, message) => {
  const { code, message: said } = refusalOf(() => parse(text));
  expect(code).toBe("INVALID_INPUT");
  expect(said).toMatch(message);
});

test("any text is either a query or a clear refusal", () => {
  checkProperty(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      try {
        expect(parse(text)).toBeDefined();
      } catch (error) {
        expect(error).toBeInstanceOf(HubError);
      }
    }),
  );
});
