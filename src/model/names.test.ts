import fc from "fast-check";
import { expect, test } from "vitest";
import { checkProperty } from "../../test/fakes/check-property.js";
import { refusalOf } from "../../test/refusal-of.js";
import { checkAgentName, checkTeam, firstFreeName, NAME_PATTERN, toName } from "./names.js";

test.each(["a", "0", "alice", "alice-2", "a_b", "a--", "x".repeat(64)])("%s is a name", (name) => {
  expect(() => checkAgentName(name)).not.toThrow();
});

test.each([
  ["nothing", ""],
  ["a slash", "a/b"],
  ["a lone slash", "/"],
  ["the folder above", ".."],
  ["a path", "../../etc/passwd"],
  ["a colon", "a:b"],
  ["a newline", "a\nb"],
  ["a newline at the end", "alice\n"],
  ["right-to-left override", "\u202eecila"],
  ["a homoglyph", "аlice"], // The first letter is Cyrillic.
  ["a flag", "-flag"],
  ["a leading underscore", "_a"],
  ["a capital", "Alice"],
  ["a space", "a b"],
  ["an emoji", "😀"],
  ["a NUL", "a\u0000b"],
  ["a zero-width space", "a\u200bb"],
  ["a full-width letter", "ａlice"],
  ["65 characters", "x".repeat(65)],
  ["an object's key", "__proto__"],
])("%s makes no name", (_what, name) => {
  expect(refusalOf(() => checkAgentName(name)).code).toBe("NAME_INVALID");
});

const reserved = [
  "all",
  "broadcast",
  "hub",
  "human",
  "user",
  "system",
  "operator",
  "person",
  "admin",
  "owner",
  "root",
  "huddle",
];

test.each(reserved)("%s is reserved, and another name is offered", (name) => {
  const error = refusalOf(() => checkAgentName(name));

  expect(error.code).toBe("NAME_RESERVED");
  expect(error.details).toMatchObject({ reserved, suggestion: `${name}-agent` });
});

test.each([
  "u-s-e-r",
  "user_",
  "user--",
  "us3r",
  "u5er",
  "u-5-3-r",
  "hurnan",
  "hum4n",
  "systern",
  "5y5t3m",
  "r00t",
  "ro-o7",
  "adm1n",
  "admln",
  "ad_rnin",
  "0perat0r",
  "pers0n",
  "0wner",
  "hudd1e",
  "huddie",
  "a-l-l",
])("%s reads like a reserved name, and is reserved too", (name) => {
  const error = refusalOf(() => checkAgentName(name));

  expect(error.code).toBe("NAME_RESERVED");
  expect(() => checkAgentName(String(error.details["suggestion"]))).not.toThrow();
});

test.each([
  "user-2",
  "users",
  "ali",
  "a11",
  "a-11",
  "hub-5",
  "root-cause",
  "admin-ui",
  "claude-huddle",
  "powner",
])("%s only resembles one, and is free", (name) => {
  expect(() => checkAgentName(name)).not.toThrow();
});

test("however a reserved name is spelled with lookalikes and separators, it is reserved", () => {
  const spellings: Record<string, string[]> = {
    o: ["0"],
    i: ["1", "l"],
    l: ["1", "i"],
    e: ["3"],
    a: ["4"],
    s: ["5"],
    t: ["7"],
    m: ["rn"],
  };
  const spelled = fc
    .constantFrom(...reserved.filter((name) => name !== "all"))
    .chain((name) =>
      fc
        .tuple(
          ...name
            .split("")
            .map((letter) =>
              fc.tuple(
                fc.constantFrom(letter, ...(spellings[letter] ?? [])),
                fc.constantFrom("", "", "-", "_"),
              ),
            ),
        )
        .map((parts) => parts.flat().join("")),
    );
  checkProperty(
    fc.property(spelled, (name) => {
      expect(refusalOf(() => checkAgentName(name)).code).toBe("NAME_RESERVED");
    }),
    { runs: 1000 },
  );
});

test("a refused name comes with a legal one where there is one", () => {
  expect(refusalOf(() => checkAgentName("Alice Smith")).details["suggestion"]).toBe("alice-smith");
  expect(refusalOf(() => checkAgentName("-flag")).details["suggestion"]).toBe("flag");
  expect(refusalOf(() => checkAgentName("José María")).details["suggestion"]).toBe("jose-maria");
  expect(refusalOf(() => checkAgentName("HUB")).details).not.toHaveProperty("suggestion");
  expect(refusalOf(() => checkAgentName("😀")).details).not.toHaveProperty("suggestion");
});

test("a refusal shows the name without what a terminal would obey", () => {
  const { message } = refusalOf(() => checkAgentName("\u001b[2J\u202eevil\n\u009b"));

  // biome-ignore lint/suspicious/noControlCharactersInRegex: naming them is the point
  expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
});

test("a suggestion is always a name that would be taken", () => {
  checkProperty(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
      const name = toName(text);
      if (name !== undefined) checkAgentName(name);
    }),
    { runs: 2000 },
  );
});

test.each(["main", "a", "red_team", "t2"])("%s is a team", (team) => {
  expect(() => checkTeam(team)).not.toThrow();
});

test.each(["", "2t", "_t", "a-b", "A", "a b", "a\n", "../x"])("%j is no team", (team) => {
  expect(refusalOf(() => checkTeam(team)).code).toBe("NAME_INVALID");
});

test("team ralph is reserved", () => {
  const error = refusalOf(() => checkTeam("ralph"));

  expect(error.code).toBe("NAME_RESERVED");
  expect(() => checkTeam(String(error.details["suggestion"]))).not.toThrow();
});

test("the first free name is the wanted one, or the first number that nobody has", () => {
  const taken = new Set(["alice", "alice-2", "alice-4"]);

  expect(firstFreeName("bob", (name) => taken.has(name))).toBe("bob");
  expect(firstFreeName("alice", (name) => taken.has(name))).toBe("alice-3");
  expect(firstFreeName("alice-2", (name) => taken.has(name))).toBe("alice-2-2");
});

test("a numbered name keeps within 64 characters, however long the wanted one and however many there are", () => {
  const wanted = "x".repeat(64);
  const taken = new Set<string>();
  for (let i = 0; i < 120; i++) {
    const name = firstFreeName(wanted, (candidate) => taken.has(candidate));
    expect(name).toMatch(NAME_PATTERN);
    taken.add(name);
  }

  expect(taken.size).toBe(120);
  expect(taken).toContain(`${"x".repeat(62)}-9`);
  expect(taken).toContain(`${"x".repeat(60)}-120`);
});
