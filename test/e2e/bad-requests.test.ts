import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { journalSeq, type Member, registerAgent } from "../fakes/member.js";
import { sendRaw } from "../fakes/raw-socket.js";
import { matching } from "../fakes/text-matching.js";

/* Requests that are wrong below the level of JSON, written to the socket byte by byte. */

/** How long the hub waits for the rest of a request: longer than a whole one takes to come on a busy machine. */
const GIVES_UP_MS = 5000;

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;

beforeAll(async () => {
  hub = await yard.start({
    set: [`http.request_timeout=${GIVES_UP_MS}ms`, "presence.offline_after=24h", "inbox.wait_max=1s"],
  });
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await registerAgent(hub.http, hub.join, { name: "ben" });
});
afterAll(() => yard.clear());

const target = "/api/agents/ben/messages";
const body = '{"message":"hello"}';
const length = `Content-Length: ${body.length}\r\n`;

function post(headers: string, text = body): string {
  return `POST ${target} HTTP/1.1\r\nHost: localhost:${hub.port}\r\nAuthorization: Bearer ${ann.token}\r\nContent-Type: application/json\r\n${headers}\r\n${text}`;
}

function get(path: string, headers = ""): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost:${hub.port}\r\nAuthorization: Bearer ${ann.token}\r\n${headers}\r\n`;
}

test("the requests below are taken when nothing is wrong with them", async () => {
  expect((await sendRaw(hub.port, [post(length)])).status).toBe(202);
  expect((await sendRaw(hub.port, [get("/api/inbox")])).status).toBe(200);
});

test.each(["", "Connection: close\r\n"])(
  "a whole request is answered for itself, whatever follows it on the connection (%j)",
  async (header) => {
    for (let round = 0; round < 10; round++) {
      const before = await journalSeq(hub.http, hub.operator);
      const answer = await sendRaw(hub.port, [`${post(header + length)}\u0001\u0002 not HTTP\r\n\r\n`]);
      const stored = (await journalSeq(hub.http, hub.operator)) - before;

      // Stored and answered as stored, or refused and not stored.
      expect({ status: answer.status, isStored: stored > 0 }).toEqual({ status: 202, isStored: true });
    }
  },
);

test("noise behind a request that waits costs the hub nothing, and the request is answered", async () => {
  const waiting = get("/api/inbox?wait=1");
  const answer = await sendRaw(hub.port, [waiting, ...Array<string>(30).fill("noise\r\n\r\n")], {
    everyMs: 10,
  });

  expect(answer.status).toBe(200);
  expect(hub.stderr()).not.toContain("MaxListenersExceededWarning");
});

describe("a request that lies about its length", () => {
  test.each([
    ["a negative length", () => post("Content-Length: -1\r\n")],
    ["a length in words", () => post("Content-Length: nineteen\r\n")],
    ["a length in hexadecimal", () => post("Content-Length: 0x13\r\n")],
    ["a length with a sign", () => post(`Content-Length: +${body.length}\r\n`)],
    ["a length beyond 64 bits", () => post("Content-Length: 99999999999999999999999\r\n")],
    ["two lengths", () => post(`${length}Content-Length: 5\r\n`)],
    ["a length and chunks", () => post(`${length}Transfer-Encoding: chunked\r\n`)],
    ["an unknown transfer coding", () => post("Transfer-Encoding: rot13\r\n")],
    ["chunks that are not final", () => post("Transfer-Encoding: chunked, gzip\r\n")],
    ["a chunk of no size", () => post("Transfer-Encoding: chunked\r\n", "zz\r\nhello\r\n0\r\n\r\n")],
    ["a chunk of negative size", () => post("Transfer-Encoding: chunked\r\n", "-5\r\nhello\r\n0\r\n\r\n")],
    [
      "a chunk that is longer than it says",
      () => post("Transfer-Encoding: chunked\r\n", "2\r\nhello\r\n0\r\n\r\n"),
    ],
    ["no length at all", () => post("")],
    ["a length that is too short", () => post("Content-Length: 5\r\n")],
  ])("by %s answers 400 and stores nothing", async (_, request) => {
    await expectRefusal([request()], [400]);
  });

  test("by promising more than it sends, and closing its side, is given up on, and stores nothing", async () => {
    await expectRefusal([post("Content-Length: 1000\r\n")], [400, 408], { halfClose: true });
  });

  test("with a second request hidden in its body has that read as a body only", async () => {
    const hidden = `DELETE /api/agents/ann HTTP/1.1\r\nHost: localhost:${hub.port}\r\nAuthorization: Bearer ${ann.token}\r\n\r\n`;
    const answer = await sendRaw(hub.port, [post(`Content-Length: ${hidden.length}\r\n`, hidden)]);

    expect(answer).toMatchObject({ status: 400, json: { code: "BAD_JSON" } });
    expect((await ann.call("GET", "/api/agents/ann")).status).toBe(200);
  });
});

describe("requests that do not come to their end", () => {
  const text = `{"message":"${"x".repeat(200)}"}`;
  const whole = `Content-Length: ${text.length}\r\n`;
  // Twice as long as the hub waits.
  const drip = { everyMs: (2 * GIVES_UP_MS) / 100 };

  test("are cut off with 408 and store nothing, and do not keep others from being served", async () => {
    const before = await journalSeq(hub.http, hub.operator);
    let ended = 0;
    const cut = [
      // Header by header, body byte by byte, and a hundred that stop in the middle.
      sendRaw(hub.port, get("/api/inbox").split(""), drip),
      sendRaw(hub.port, [post(whole, ""), ...text.split("")], drip),
      ...Array.from({ length: 100 }, () => sendRaw(hub.port, [post("Content-Length: 500\r\n", "{")])),
    ];
    for (const one of cut) void one.then(() => ended++);
    const stream = sendRaw(hub.port, [
      get("/api/events", "Accept: text/event-stream\r\nContent-Length: 10\r\n"),
    ]);
    const { status } = await ann.send("ben", "quick", { id: "quick" });

    expect(status).toBe(202);
    expect(ended).toBeLessThan(cut.length);
    for (const answer of await Promise.all(cut))
      expect(answer).toMatchObject({ status: 408, json: { code: "REQUEST_TIMEOUT" } });
    expect(await journalSeq(hub.http, hub.operator)).toBe(before + 1);
    // One that is answered before it has come gets no second answer in the middle of the first.
    const streamed = await stream;
    expect(streamed).toMatchObject({ status: 200, closed: true });
    expect(streamed.text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
  });
});

describe("something that is not HTTP", () => {
  test.each([
    ["letters", "hello\r\n\r\n"],
    ["a TLS greeting", Buffer.from("16030100a5010000a10303", "hex")],
    ["zeros", Buffer.alloc(200)],
    ["the HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["HTTP/9.9", "GET / HTTP/9.9\r\nHost: x\r\n\r\n"],
    ["no version", "GET /api/inbox\r\n\r\n"],
    ["an unknown method", "GOSSIP /api/inbox HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost localhost\r\n\r\n"],
    ["a NUL in a header", "GET / HTTP/1.1\r\nHost: local\0host\r\n\r\n"],
    ["a line break in a target", "GET /api\r/inbox HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["20 kB of header", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(20_000)}\r\n\r\n`],
    ["a target of 20 kB", `GET /${"y".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ["a JSON-RPC line", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'],
  ])("(%s) is answered in the 400s and closed", async (_, bytes) => {
    await expectRefusal([bytes], [400, 403, 431]);
  });
});

describe("a target", () => {
  test.each([
    ["/api/inbox?wait=-1", 400],
    ["/api/inbox?wait=ten", 400],
    ["/api/inbox?wait=NaN", 400],
    ["/api/inbox?wait=1e3", 400],
    ["/api/inbox?wait=0x10", 400],
    ["/api/inbox?wait=", 400],
    ["/api/inbox?wait=1&wait=2", 400],
    ["/api/inbox?wait=99999999999999999999", 400],
    ["/api/inbox?colour=red", 400],
    ["/api/inbox?__proto__=1", 400],
    ["/api/inbox?from=nobody", 404],
    ["/api/inbox?from=", 400],
    ["/api/inbox?from=%00", 400],
    ["/api/agents?limit=0", 400],
    ["/api/agents?limit=-5", 400],
    ["/api/agents?limit=1.5", 400],
    ["/api/agents?limit=1001", 400],
    ["/api/agents?limit=all", 400],
    [`/api/agents?cursor=${"x".repeat(500)}`, 400],
    ["/api/agents/%zz", 400],
    ["/api/agents/%", 400],
    ["/api/agents/%c3%28", 400],
    ["/api/agents/%00", 400],
    ["/api/messages/%2e%2e%2fann", 404],
    [`/api/messages/${"m".repeat(5000)}`, 404],
    ["/api/events", 400],
    ["/api/events?after=-1", 400],
    ["/api/events?after=99999999", 400],
    ["/api/events?since=yesterday", 400],
    ["//api/inbox", 404],
    ["/api//inbox", 404],
    ["/api/inbox/", 404],
    ["/API/INBOX", 404],
    ["/api/%69nbox/x", 404],
    ["/api/./inbox/../nothing", 404],
    ["/api/nothing", 404],
    ["/assets/../token", 404],
    ["/..%2f..%2ftoken", 404],
    ["/token", 404],
    ["/huddle.db", 404],
    ["*", 400],
  ])("%s answers %i with a sentence and a code", async (path, status) => {
    const accept = path.startsWith("/api/events?") ? "Accept: text/event-stream\r\n" : "";
    const answer = await sendRaw(hub.port, [get(path, accept)]);

    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ error: matching(/./), code: matching(/^[A-Z_]+$/) });
  });

  test("that asks to wait longer than the longest wait gets the longest wait", async () => {
    await ann.call("GET", "/api/inbox");
    const began = performance.now();
    const { status } = await ann.call("GET", "/api/inbox?wait=86400");

    expect(status).toBe(200);
    expect(performance.now() - began).toBeLessThan(60_000);
  });

  test.each(["PATCH", "PUT", "DELETE", "TRACE", "OPTIONS", "PROPFIND"])(
    "with method %s, which it does not have, answers 405 and says which it has",
    async (method) => {
      const answer = await ann.call(method, "/api/inbox");

      expect(answer).toMatchObject({ status: 405, json: { code: "METHOD_NOT_ALLOWED" } });
      expect(answer.headers.allow).toBe("GET");
    },
  );

  test.each(["/api/requests//claim", "/api/agents//messages", "/api/agents/"])(
    "to %s, where a name is empty, answers 404",
    async (path) => {
      const answer = await ann.call("POST", path, { body: {} });

      expect(answer).toMatchObject({ status: 404, json: { code: "ROUTE_NOT_FOUND" } });
    },
  );
});

describe("a header", () => {
  test.each([
    ["no scheme", () => ann.token],
    ["another scheme", () => `Basic ${Buffer.from(`ann:${ann.token}`).toString("base64")}`],
    ["an empty token", () => "Bearer "],
    ["a token of 8 kB", () => `Bearer ${"t".repeat(8192)}`],
    ["two tokens", () => `Bearer ${ann.token} ${ann.token}`],
    ["a token and a comma", () => `Bearer ${ann.token},`],
  ])("Authorization with %s answers 401", async (_, value) => {
    const answer = await hub.http.call("GET", "/api/inbox", { headers: { authorization: value() } });

    expect(answer).toMatchObject({ status: 401, json: { code: "UNAUTHENTICATED" } });
  });

  test("Expect with something unknown is answered in the 400s", async () => {
    const { status } = await sendRaw(hub.port, [post(`${length}Expect: the-unexpected\r\n`)]);

    expect(status).toBe(417);
  });
});

async function expectRefusal(
  pieces: (string | Buffer)[],
  statuses: number[],
  options: { halfClose?: boolean } = {},
): Promise<void> {
  const before = await journalSeq(hub.http, hub.operator);
  const answer = await sendRaw(hub.port, pieces, options);
  expect(statuses, answer.text).toContain(answer.status);
  expect(answer.json).toMatchObject({ error: matching(/./), code: matching(/^[A-Z_]+$/) });
  expect(await journalSeq(hub.http, hub.operator)).toBe(before);
}
