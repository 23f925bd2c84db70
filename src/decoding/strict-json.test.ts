import fc from "fast-check";
import { expect, test } from "vitest";
import { checkProperty } from "../../test/fakes/check-property.js";
import { refusalOf } from "../../test/refusal-of.js";
import { parseStrictJson } from "./strict-json.js";

const parse = (text: string) => parseStrictJson(Buffer.from(text), { depth: 64, keys: 10_000 });

test.each([
  ["1e999", "body"],
  ['{"a":1e999}', "a"],
  ['{"a":-1E+400}', "a"],
  ['{"a":{"b c":[0,"1e999,]",[1],{"x":1},1e999]}}', "a.b c.4"],
  ['{"first":[1,2],"a":9007199254740993}', "a"],
  ['{"a":[-9007199254740993 ]}', "a.0"],
  ['{"a":[1,{"b":2},{"c":[3,4,1e999]}]}', "a.2.c.2"],
  ['{"a":9007199254740993.0}', "a"],
  [`{"a":1${"0".repeat(400)}}`, "a"],
  ['{"a":1e-400}', "a"],
  ['{"a\\"b\\u0063":123456789012345678901234567890}', 'a"bc'],
])("%s has a number that would not be stored as it is, and the refusal says where", (text, field) => {
  const refusal = refusalOf(() => parse(text));

  expect(refusal.code).toBe("INVALID_INPUT");
  expect(refusal.message).toMatch(/send it as a text/);
  expect(refusal.details["issues"]).toMatchObject([{ field }]);
});

test.each([
  "0",
  "-0",
  "0e999",
  "0.0e-999",
  "1e308",
  "-1.7976931348623157e308",
  "1e20",
  "5e-324",
  "9007199254740991",
  "-9007199254740992",
  "123456789012345680000",
  "0.1234567890123456789",
  "3.141592653589793238462643",
  '"1e999"',
  '"9007199254740993"',
  '{"9007199254740993":1}',
  '["\\\\",1]',
])("%s is taken", (text) => {
  expect(parse(text)).toEqual(JSON.parse(text));
});

test("whatever JSON a program writes is read back as it was", () => {
  checkProperty(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!/__proto__|\\u0000|\\ud/.test(text));
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
    { runs: 500 },
  );
});

test.each(['{"a":1e', '{"a":--1}', '{"a":1e999', '{"a":01}', '{"a":1e999x}'])("%s is no JSON", (text) => {
  expect(refusalOf(() => parse(text)).code).toBe("BAD_JSON");
});
