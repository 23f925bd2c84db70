import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { journalSeq, type Member, registerAgent } from "../fakes/member.js";

const yard = createHubYard();
let hub: HubProcess;
/** The same hub with room for large bodies, so that other limits are met first. */
let roomy: HubProcess;
let ann: Member;

beforeAll(async () => {
  hub = await yard.start({ set: ["presence.offline_after=24h"] });
  roomy = await yard.start({ set: ["presence.offline_after=24h", "http.body_limit=32MiB"] });
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await registerAgent(hub.http, hub.join, { name: "ben" });
});
afterAll(() => yard.clear());

const ok = '{"message":"hello"}';
const json = (text: string) => Buffer.from(text);
const keys = (n: number) =>
  `{"message":"x","metadata":{${Array.from({ length: n }, (_, i) => `"k${i}":1`).join()}}}`;

const badJson: [string, Buffer][] = [
  ["an empty body", json("")],
  ["blanks only", json("  \n\t ")],
  ["a truncated object", json('{"message":"hel')],
  ["a truncated escape", json('{"message":"\\u12')],
  ["two documents", json(`${ok}${ok}`)],
  ["something after the document", json(`${ok}x`)],
  ["a trailing comma", json('{"message":"x",}')],
  ["a comment", json('{"message":"x"/* y */}')],
  ["single quotes", json("{'message':'x'}")],
  ["a bare key", json('{message:"x"}')],
  ["NaN", json('{"message":"x","expires_in_seconds":NaN}')],
  ["Infinity", json('{"message":"x","expires_in_seconds":Infinity}')],
  ["a hexadecimal number", json('{"message":"x","expires_in_seconds":0x10}')],
  ["a leading zero", json('{"message":"x","expires_in_seconds":01}')],
  ["undefined", json("undefined")],
  ["objects nested 10,000 deep", json(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`)],
  ["arrays nested 10,000 deep", json("[".repeat(10_000) + "]".repeat(10_000))],
  ["100,000 opening brackets", json("[".repeat(100_000))],
  ["nesting inside metadata", json(`{"message":"x","metadata":${'{"a":'.repeat(70)}1${"}".repeat(70)}}`)],
  ["more than 10,000 keys", json(keys(10_001))],
  ["a key given twice", json('{"message":"x","message":"y"}')],
  ["a key given twice, once escaped", json('{"message":"x","mess\\u0061ge":"y"}')],
  ["a key given twice deeper down", json('{"message":"x","metadata":{"a":{"b":1,"b":2}}}')],
  ["__proto__", json('{"message":"x","__proto__":{"sender":"user"}}')],
  ["__proto__ escaped", json('{"message":"x","\\u005f_proto__":{}}')],
  ["__proto__ in metadata", json('{"message":"x","metadata":{"__proto__":{"x":1}}}')],
  ["half of a surrogate pair", json('{"message":"\\ud83d"}')],
  ["the other half", json('{"message":"a\\ude00b"}')],
  ["surrogates the wrong way round", json('{"message":"\\ude00\\ud83d"}')],
  ["half of a surrogate pair in a key", json('{"message":"x","metadata":{"\\ud800":1}}')],
  ["an escaped NUL", json('{"message":"a\\u0000b"}')],
  ["an escaped NUL in a key", json('{"message":"x","metadata":{"a\\u0000":1}}')],
  ["a raw NUL", json('{"message":"a\0b"}')],
  ["a raw newline in a string", json('{"message":"a\nb"}')],
  ["invalid UTF-8", Buffer.concat([json('{"message":"'), Buffer.from([0xff, 0xfe]), json('"}')])],
  ["overlong UTF-8", Buffer.concat([json('{"message":"'), Buffer.from([0xc0, 0xaf]), json('"}')])],
  [
    "a surrogate in UTF-8",
    Buffer.concat([json('{"message":"'), Buffer.from([0xed, 0xa0, 0x80]), json('"}')]),
  ],
  ["UTF-8 cut in a character", Buffer.concat([json('{"message":"'), Buffer.from([0xe2, 0x82]), json('"}')])],
  ["Latin-1", Buffer.from('{"message":"é"}', "latin1")],
  ["UTF-16", Buffer.from(ok, "utf16le")],
  ["a byte order mark", json(`\ufeff${ok}`)],
  ["gzip", gzipSync(ok)],
];

const wrongShape: [string, string][] = [
  ["an array", "[]"],
  ["a batch", `[${ok},${ok}]`],
  ["a string", '"hello"'],
  ["a number", "1"],
  ["null", "null"],
  ["true", "true"],
  ["no message", "{}"],
  ["an empty message", '{"message":""}'],
  ["a message that is a number", '{"message":1}'],
  ["a message that is null", '{"message":null}'],
  ["a message that is an object", '{"message":{"text":"x"}}'],
  ["an unknown field", '{"message":"x","colour":"red"}'],
  ["a field of another name", '{"message":"x","replyTo":"m-1"}'],
  ["constructor as a field", '{"message":"x","constructor":{"prototype":{}}}'],
  ["an id of 10 kB", `{"message":"x","id":"${"i".repeat(10_240)}"}`],
  ["an id that is null", '{"message":"x","id":null}'],
  ["an empty id", '{"message":"x","id":""}'],
  ["an id that is a number", '{"message":"x","id":7}'],
  ["an id with a slash", '{"message":"x","id":"../../etc/passwd"}'],
  ["an id with a newline", '{"message":"x","id":"a\\nb"}'],
  ["a reply_to of 10 kB", `{"message":"x","reply_to":"${"i".repeat(10_240)}"}`],
  ["an unknown type", '{"message":"x","type":"gossip"}'],
  ["a type that only the hub makes", '{"message":"x","type":"system"}'],
  ["another such type", '{"message":"x","type":"shutdown"}'],
  ["an unknown attention", '{"message":"x","attention":"NOW"}'],
  ["an expiry of 0", '{"message":"x","expires_in_seconds":0}'],
  ["a negative expiry", '{"message":"x","expires_in_seconds":-1}'],
  ["an expiry in words", '{"message":"x","expires_in_seconds":"ten"}'],
  ["an expiry beyond numbers", '{"message":"x","expires_in_seconds":1e400}'],
  ["an expiry in a million years", '{"message":"x","expires_in_seconds":31536000000000}'],
  ["metadata with a number beyond numbers", '{"message":"x","metadata":{"a":[1e999]}}'],
  ["metadata with a number that loses digits", '{"message":"x","metadata":{"a":9007199254740993}}'],
  ["metadata that is a list", '{"message":"x","metadata":[1]}'],
  ["a metadata key of 300 letters", `{"message":"x","metadata":{"${"k".repeat(300)}":1}}`],
];

describe("a body with", () => {
  test.each(badJson)("%s answers 400 BAD_JSON and stores nothing", async (_, body) => {
    await expectRefusal(() => ann.call("POST", "/api/agents/ben/messages", { body }), 400, "BAD_JSON");
  });

  test.each(wrongShape)("%s answers 400 INVALID_INPUT and stores nothing", async (_, body) => {
    await expectRefusal(() => ann.call("POST", "/api/agents/ben/messages", { body }), 400, "INVALID_INPUT");
  });

  test.each([
    [
      "a reply to a message that is not there",
      { message: "x", reply_to: "nothing" },
      400,
      "REPLY_TARGET_NOT_FOUND",
    ],
    ["a sender that is not the caller", { message: "x", sender: "ben" }, 403, "SENDER_MISMATCH"],
  ])("%s is refused and stores nothing", async (_, body, status, code) => {
    await expectRefusal(() => ann.call("POST", "/api/agents/ben/messages", { body }), status, code);
  });

  test.each([
    ["no content type", ""],
    ["text", "text/plain"],
    ["a form", "application/x-www-form-urlencoded"],
    ["a form with files", "multipart/form-data; boundary=x"],
    ["something that starts like JSON", "application/jsonp"],
    ["a patch", "application/json-patch+json"],
    ["a sentence that mentions JSON", "text/plain; application/json"],
  ])("%s answers 415 and stores nothing", async (_, type) => {
    const call = () =>
      ann.call("POST", "/api/agents/ben/messages", { body: ok, headers: { "content-type": type } });

    await expectRefusal(call, 415, "UNSUPPORTED_MEDIA_TYPE");
  });
});

describe("a body that is too large", () => {
  test.each([
    ["by one byte", 1024 * 1024 + 1],
    ["four times over", 4 * 1024 * 1024],
    ["sixty times over", 60 * 1024 * 1024],
  ])("%s answers 413, every time, and stores nothing", async (_, bytes) => {
    const body = Buffer.alloc(bytes, "x");
    for (let attempt = 0; attempt < 3; attempt++) {
      await expectRefusal(
        () => ann.call("POST", "/api/agents/ben/messages", { body }),
        413,
        "BODY_TOO_LARGE",
      );
    }
  });

  test("and sent in chunks without a length answers 413", async () => {
    const body = Buffer.alloc(4 * 1024 * 1024, "x");
    const call = () => ann.call("POST", "/api/agents/ben/messages", { body, chunked: true });

    await expectRefusal(call, 413, "BODY_TOO_LARGE");
  });

  test("and comes without a valid token answers 401", async () => {
    const body = Buffer.alloc(2 * 1024 * 1024, "x");
    const answer = await hub.http.call("POST", "/api/agents/ben/messages", { token: "nobody", body });

    expect(answer).toMatchObject({ status: 401, json: { code: "UNAUTHENTICATED" } });
  });

  test("of exactly the limit is taken", async () => {
    const frame = '{"message":""}'.length;
    const body = JSON.stringify({ message: "m".repeat(1024 * 1024 - frame) });

    expect((await ann.call("POST", "/api/agents/ben/messages", { body })).status).toBe(202);
  });
});

describe("a hub that takes large bodies", () => {
  test.each([
    ["a million keys", keys(1_000_000)],
    ["4 MiB of keys", keys(380_000)],
    [
      "a list of a million objects",
      `{"message":"x","metadata":{"l":[${Array(1_000_000).fill('{"a":1}').join()}]}}`,
    ],
  ])("refuses %s before building anything from it, ten times over, within 100 MB", async (_, body) => {
    const token = roomy.operator;
    const before = await memoryOf(roomy);
    const bytes = Buffer.from(body);

    const answers = [];
    for (let round = 0; round < 2; round++) {
      const five = Array.from({ length: 5 }, () =>
        roomy.http.call("POST", "/api/agents/user/messages", { token, body: bytes }),
      );
      answers.push(...(await Promise.all(five)));
    }

    expect(new Set(answers.map(({ json: { code } }) => code))).toEqual(new Set(["BAD_JSON"]));
    // What is in flight (five bodies, as bytes and as text) and what V8 has not collected yet.
    expect((await memoryOf(roomy)) - before).toBeLessThan(100e6 + 5 * 3 * bytes.length);
  });
});

describe("an id", () => {
  test("used again with the same body gives the same receipt, with another body 409", async () => {
    const first = await ann.send("ben", "hello", { id: "twice" });
    const seq = await journalSeq(hub.http, hub.operator);

    const again = await ann.send("ben", "hello", { id: "twice" });
    const others = [
      await ann.send("ben", "other", { id: "twice" }),
      await ann.send("ben", "hello", { id: "twice", context: "more" }),
      await ann.send("ben", "hello", { id: "twice", attention: "fyi" }),
      await ann.send("ben", "hello", { id: "twice", type: "status" }),
      await ann.send("ben", "hello", { id: "twice", metadata: { a: 1 } }),
      await ann.send("ben", "hello", { id: "twice", expires_in_seconds: 60 }),
      await ann.send("user", "hello", { id: "twice" }),
    ];

    expect(again.json).toEqual(first.json);
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 409));
    expect(new Set(others.map(({ json: { code } }) => code))).toEqual(new Set(["ID_REUSED"]));
    expect(await journalSeq(hub.http, hub.operator)).toBe(seq);
  });
});

async function expectRefusal(
  call: () => ReturnType<Member["call"]>,
  status: number,
  code: string,
): Promise<void> {
  const before = await journalSeq(hub.http, hub.operator);
  const answer = await call();
  expect({ status: answer.status, code: answer.json["code"] }).toEqual({ status, code });
  expect(answer.json["error"]).toEqual(expect.any(String));
  expect(answer.json["delivered"]).toBe(false);
  expect(await journalSeq(hub.http, hub.operator)).toBe(before);
}

async function memoryOf(at: HubProcess): Promise<number> {
  const { json: health } = await at.http.call("GET", "/api/health", { token: at.operator });
  return Number(health["memory_bytes"]);
}
