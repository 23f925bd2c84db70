import { expect, test } from "vitest";
import { z } from "zod";
import { refusal } from "../../test/fakes/refusal.js";
import { decode, decodeQuery } from "./decode.js";

const schema = z.strictObject({ message: z.string().min(1), team: z.string().min(1).optional() });

test.each([
  [{}, "message: is missing"],
  [{ message: "" }, "message: is empty"],
  [{ message: 1 }, "message: Invalid input: expected string, received number"],
  [{ message: "x", tem: "red" }, 'unknown field "tem"; did you mean "team"?'],
])("%j is refused in words that say what to do", async (value, problem) => {
  const refused = await refusal((async () => decode(schema, value, "body"))());
  expect(refused).toMatchObject({ code: "INVALID_INPUT", message: problem });
});

test("everything that is wrong is named, not only the first", async () => {
  const refused = await refusal((async () => decode(schema, { team: "" }, "body"))());
  expect(refused.details).toEqual({
    issues: [
      { field: "message", problem: "message: is missing" },
      { field: "team", problem: "team: is empty" },
    ],
  });
});

test.each([
  ["limit=7&q=7", { limit: 7, q: "7" }],
  ["", { limit: 50 }],
])(
  "of the query %j, what the contract calls a number is one, with or without a default",
  (text, expected) => {
    const query = z.strictObject({ limit: z.number().int().default(50), q: z.string().optional() });
    expect(decodeQuery(query, new URLSearchParams(text))).toEqual(expected);
  },
);

test.each(["1e999", "-1e999", "9007199254740993", "NaN", "Infinity", "0x10", ""])(
  "limit=%s is no number of a query",
  async (text) => {
    const query = new URLSearchParams({ limit: text });
    const refused = await refusal((async () => decodeQuery(z.strictObject({ limit: z.number() }), query))());
    expect(refused).toMatchObject({ code: "INVALID_INPUT", details: { issues: [{ field: "limit" }] } });
  },
);

test("what the contract calls true or false is, and no other word is", async () => {
  const flag = z.strictObject({ force: z.boolean().optional() });
  const read = (force: string) => decodeQuery(flag, new URLSearchParams({ force }));

  expect([read("true"), read("false")]).toEqual([{ force: true }, { force: false }]);
  for (const word of ["1", "yes", "TRUE", ""])
    expect(await refusal((async () => read(word))())).toMatchObject({ code: "INVALID_INPUT" });
});
