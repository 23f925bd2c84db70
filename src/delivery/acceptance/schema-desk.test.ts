import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { createSchemaDesk } from "./schema-desk.js";

const desk = createSchemaDesk({ withinMs: 60_000, idleMs: 60_000 });
afterAll(desk.end);
const misfits = looksAt(desk);

function looksAt(at: typeof desk) {
  return (schema: Record<string, unknown>, text: string) => at.misfits(schema, { text, isCut: false }, "ann");
}

function openDesk(options: Parameters<typeof createSchemaDesk>[0]) {
  const own = createSchemaDesk(options);
  onTestFinished(own.end);
  return looksAt(own);
}

const person = {
  type: "object",
  required: ["name", "age"],
  properties: { name: { type: "string" }, age: { type: "integer", minimum: 0 }, kind: { enum: ["a", "b"] } },
  additionalProperties: false,
};

test("an answer that fits has no misfits", async () => {
  expect(await misfits(person, 'So: {"name": "Ann", "age": 3}')).toEqual([]);
});

test("what does not fit is said by its place, all of it", async () => {
  expect(await misfits(person, '{"name": 1, "kind": "c", "pets": []}')).toEqual([
    "the whole: must have required property 'age'",
    "the whole: must NOT have additional properties: pets",
    "/name: must be string",
    '/kind: must be equal to one of the allowed values: ["a","b"]',
  ]);
});

test("an answer without JSON, and one of a thousand mistakes", async () => {
  expect(await misfits(person, "Done!")).toEqual(["there is no JSON in it"]);
  const numbers = JSON.stringify(Array.from({ length: 1000 }, (_, n) => n));
  expect(await misfits({ items: { type: "string" } }, numbers)).toHaveLength(20);
});

test.each([
  ["draft-07", { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "number" }] }, "[1]"],
  [
    "2019-09",
    {
      $schema: "https://json-schema.org/draft/2019-09/schema",
      properties: { a: true },
      unevaluatedProperties: false,
    },
    '{"a": 1}',
  ],
  [
    "2020-12",
    { $schema: "https://json-schema.org/draft/2020-12/schema", prefixItems: [{ type: "number" }] },
    "[1]",
  ],
  [
    "none, with keywords and formats that are not known",
    { example: 1, format: "colour", type: "string" },
    '"red"',
  ],
  [
    "one that refers to itself",
    { properties: { child: { $ref: "#" } }, required: ["n"] },
    '{"n":1,"child":{"n":2}}',
  ],
])("schemas of %s are understood", async (_, schema, text) => {
  await desk.check(schema, "ann");
  expect(await misfits(schema, text)).toEqual([]);
});

test.each([
  ["a type that is none", { properties: { a: { type: "strin" } } }, "output_schema/properties/a/type"],
  ["a keyword of the wrong kind", { required: "name" }, "output_schema/required"],
  ["a reference to nowhere", { $ref: "#/definitions/none" }, "output_schema"],
  ["a reference to another place", { $ref: "https://example.com/schema.json" }, "output_schema"],
  ["a regular expression that is none", { type: "string", pattern: "(" }, "output_schema"],
  ["a version that is not known", { $schema: "https://example.com/schema" }, "output_schema"],
])("what is no schema is refused, with the place: %s", async (_, schema, field) => {
  const error = await refusal(desk.check(schema, "ann"));
  expect(error).toMatchObject({ code: "INVALID_INPUT" });
  expect(error.details["issues"]).toMatchObject([{ field }]);
  expect(error.message.startsWith(`${field}: `)).toBe(true);
});

test.each([
  ["date", "2028-02-29", "2026-02-30"],
  ["time", "23:59:60Z", "24:00:00Z"],
  ["date-time", "2026-11-17T16:20:00.5+01:00", "2026-11-17 16:20"],
  ["email", "ann@example.com", "ann at example.com"],
  ["hostname", "a.example", "-a.example"],
  ["ipv4", "127.0.0.1", "127.0.0.256"],
  ["ipv6", "::1", "::g"],
  ["uri", "https://example.com/a?b#c", "example.com/a"],
  ["uuid", "01a1ea51-dc87-7f2f-afb4-2bff4e6e882a", "01a1ea51"],
  ["regex", "^a+$", "("],
])("an answer is checked for the format %s", async (format, right, wrong) => {
  const schema = { properties: { it: { type: "string", format } } };
  expect(await misfits(schema, JSON.stringify({ it: right }))).toEqual([]);
  expect(await misfits(schema, JSON.stringify({ it: wrong }))).toEqual([
    `/it: must match format "${format}"`,
  ]);
});

test("a schema that would take for ever does not: its thread is ended, and the next answer is looked at", {
  timeout: 300_000,
}, async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const looked = openDesk({ withinMs: 6000 });
  // Once the thread is there, its time counts.
  expect(await looked({ type: "number" }, "1")).toEqual([]);
  const forEver = { type: "string", pattern: "^(a+)+$" };
  const both = Promise.all([
    looked(forEver, JSON.stringify(`${"a".repeat(60)}!`)),
    looked(person, '{"name": "Ann", "age": 3}'),
  ]);
  await beats(20);
  vi.advanceTimersByTime(6000);
  const [late, next] = await both;

  expect(late).toEqual(["it could not be looked at within 6s"]);
  expect(next).toEqual([]);
});

/** This thread goes on meanwhile. */
function beats(count: number): Promise<void> {
  let left = count;
  return new Promise((resolve) => {
    const heart = setInterval(() => {
      if (--left > 0) return;
      clearInterval(heart);
      resolve();
    }, 10);
  });
}

test("a schema that recurs for ever is no more than a misfit", async () => {
  const endless = { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" };
  expect((await misfits(endless, "1")).length).toBeGreaterThan(0);
  expect(await misfits(person, '{"name": "Ann", "age": 3}')).toEqual([]);
});

test("a thread that nobody needs is ended, and another one is started when it is needed again", {
  timeout: 300_000,
}, async () => {
  const looked = openDesk({ withinMs: 60_000, idleMs: 1 });
  for (let n = 0; n < 3; n++) {
    expect(await looked({ type: "number" }, "1")).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
