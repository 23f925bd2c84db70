import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { peerAt, SECRET, startLinkedHub } from "../../../test/fakes/link-yard.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { sendRaw } from "../../../test/fakes/raw-socket.js";

const message = {
  from: "r2d2",
  type: "text",
  text: "hello",
  timestamp: "2026-02-03T10:00:00.000Z",
  messageId: "1f0c0a9e-7f5c-4a53-9a2e-1c1d8c7a2b11",
};

type Call = {
  path?: string;
  method?: string;
  body?: unknown;
  secret?: string | null;
  headers?: Record<string, string>;
};

async function startBmo(options: Parameters<typeof startLinkedHub>[1] = {}) {
  const bmo = await startLinkedHub("bmo", {
    common: SECRET,
    peers: [peerAt("r2d2", 1, { kind: "plain" }), peerAt("c3po", 1, { kind: "plain" })],
    ...options,
  });
  async function call({
    path = "/agent/message",
    method = "POST",
    body = message,
    secret = SECRET,
    headers,
  }: Call) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(`http://127.0.0.1:${bmo.port}${path}`, {
      method,
      ...(method === "GET" || method === "HEAD" ? {} : { body: text }),
      headers: {
        "content-type": "application/json",
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
        ...headers,
      },
    });
    const json = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
    return { status: answer.status, json, headers: answer.headers };
  }
  return { bmo, call };
}

const refusedAs = (code: string) => ({
  ok: false,
  queued: false,
  error: expect.any(String) as unknown,
  code,
});

test("a message of document 004 is answered with ok, and with queued when the agent is busy", async () => {
  const { bmo, call } = await startBmo();
  expect(await call({})).toMatchObject({ status: 200, json: { ok: true, queued: false } });
  bmo.hub.isBusy = true;
  const status = { ...message, type: "status", text: undefined, status: "idle", messageId: "m2" };
  expect(await call({ body: status })).toMatchObject({ status: 200, json: { ok: true, queued: true } });
  expect(bmo.hub.got("r2d2")).toEqual(["hello", ""]);
});

test("the heartbeat says who it is, how it is, and when", async () => {
  const { call } = await startBmo();
  const { status, json } = await call({ path: "/agent/status", method: "GET" });
  expect(status).toBe(200);
  expect(json).toEqual({
    ok: true,
    name: "bmo",
    status: "idle",
    at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
  });
});

describe("who is refused", () => {
  test.each(["/agent/message", "/agent/link", "/agent/rpc", "/agent/status"])(
    "a wrong or missing secret at %s",
    async (path) => {
      const { bmo, call } = await startBmo();
      const method = path === "/agent/status" ? "GET" : "POST";
      const body =
        path === "/agent/rpc" ? { v: 1, kind: "ping", origin: "a".repeat(32), from: "r2d2" } : message;
      for (const secret of [null, "wrong", `${SECRET}x`, SECRET.slice(1), ""]) {
        const answer = await call({ path, method, body, secret });
        expect([secret, answer.status, answer.json]).toEqual([secret, 401, refusedAs("UNAUTHENTICATED")]);
      }
      expect(bmo.hub.got("r2d2")).toEqual([]);
    },
  );

  test("somebody who is no peer, and a peer with the secret of another", async () => {
    const { bmo, call } = await startBmo();
    bmo.secrets.set("c3po", "c3po's own");

    expect((await call({ body: { ...message, from: "vader" } })).json).toEqual(refusedAs("PEER_UNKNOWN"));
    expect((await call({ secret: "c3po's own" })).json).toEqual(refusedAs("UNAUTHENTICATED"));
    bmo.secrets.set("c3po", "own-of-c3po");
    expect((await call({ secret: "own-of-c3po" })).json).toEqual(refusedAs("PEER_UNKNOWN"));
    expect((await call({ body: { ...message, from: "c3po" } })).json).toEqual(refusedAs("PEER_UNKNOWN"));
    expect((await call({ body: { ...message, from: "c3po" }, secret: "own-of-c3po" })).status).toBe(200);
    expect(bmo.hub.got("r2d2")).toEqual([]);
  });

  test.each([
    ["cf-connecting-ip", "1.2.3.4"],
    ["CF-Ray", "x"],
    ["cdn-loop", "cloudflare"],
    ["x-forwarded-for", "192.168.1.2"],
    ["X-Forwarded-Proto", "https"],
    ["forwarded", "for=1.2.3.4"],
    ["via", "1.1 proxy"],
  ])("what came through a tunnel or proxy: %s", async (name, value) => {
    const { bmo } = await startBmo();
    const answer = await sendRaw(bmo.port, [
      `GET /agent/status HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${SECRET}\r\n${name}: ${value}\r\n\r\n`,
    ]);
    expect(answer).toMatchObject({ status: 403, json: refusedAs("PEER_NOT_LOCAL") });
  });

  test("a web page", async () => {
    const { call } = await startBmo();
    const { status, json } = await call({ headers: { origin: "http://evil.example" } });
    expect([status, json]).toEqual([403, refusedAs("ORIGIN_NOT_ALLOWED")]);
  });

  test("an address that tries many secrets is slowed down, and the right one still works", async () => {
    const { call } = await startBmo({ config: { listener: { wrongTries: 3 } } });
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await call({ secret: `guess-${n}` })).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
    expect((await call({})).status).toBe(200);
  });
});

describe("what is refused", () => {
  test.each([
    "/",
    "/agent",
    "/agent/message/",
    "/agent/messages",
    "/api/agents",
    "/mcp",
    "/agent/%2e%2e/api",
  ])("the path %s", async (path) => {
    const { call } = await startBmo();
    const { status, json } = await call({ path });
    expect([status, json]).toEqual([404, refusedAs("ROUTE_NOT_FOUND")]);
  });

  test.each(["PUT", "DELETE", "PATCH", "OPTIONS", "GET"])("the method %s", async (method) => {
    const { call } = await startBmo();
    const { status, json, headers } = await call({ method });
    expect([status, json, headers.get("allow")]).toEqual([405, refusedAs("METHOD_NOT_ALLOWED"), "POST"]);
  });

  test.each([
    ["no JSON", "{"],
    ["an empty body", ""],
    ["no object", "[]"],
    ["two equal keys", '{"from":"r2d2","from":"c3po"}'],
    ["__proto__", '{"__proto__":{}}'],
    ["a deep body", "[".repeat(10_000)],
    ["no sender", { ...message, from: undefined }],
    ["an unknown type", { ...message, type: "shutdown" }],
    ["a text without text", { ...message, text: undefined }],
    ["a status without one", { ...message, type: "status" }],
    ["an unknown status", { ...message, type: "status", status: "dead" }],
    ["a claim of nothing", { ...message, type: "coordination", action: "claim" }],
    ["a review of nothing", { ...message, type: "pr-review" }],
    ["no id", { ...message, messageId: undefined }],
    ["an id of 10 kB", { ...message, messageId: "x".repeat(10_000) }],
    ["no time", { ...message, timestamp: "yesterday" }],
    ["a callback that is no URL", { ...message, callbackUrl: "not a url" }],
    ["an address at another hub", { ...message, to: "bob@vader" }],
  ])("%s", async (_, body) => {
    const { bmo, call } = await startBmo();
    const { status, json } = await call({ body });
    expect(status).toBe(400);
    expect(json).toMatchObject({ ok: false, queued: false, error: expect.any(String) as unknown });
    expect(bmo.hub.got("r2d2")).toEqual([]);
  });

  test("a body that is too large, and one that is no JSON by its header", async () => {
    const { call } = await startBmo();
    const large = await call({ body: { ...message, text: "x".repeat(1_100_000) } });
    expect([large.status, large.json]).toEqual([413, refusedAs("BODY_TOO_LARGE")]);
    const plain = await call({ headers: { "content-type": "text/plain" } });
    expect([plain.status, plain.json]).toEqual([415, refusedAs("UNSUPPORTED_MEDIA_TYPE")]);
  });

  test("frames that nobody signed, and rpc that is none", async () => {
    const { call } = await startBmo({ peers: [peerAt("r2d2", 1)] });
    const batch = {
      v: 1,
      origin: "a".repeat(32),
      dest: "b".repeat(32),
      from: "r2d2",
      key: "x",
      epoch: "e",
      low: 1,
      frames: [],
      sig: "x",
    };
    expect((await call({ path: "/agent/link", body: batch })).json).toEqual(refusedAs("PEER_UNTRUSTED"));
    expect((await call({ path: "/agent/link", body: { ...batch, frames: [{ n: 1 }] } })).status).toBe(400);
    expect((await call({ path: "/agent/rpc", body: { v: 1, kind: "spawn" } })).json).toEqual(
      refusedAs("INVALID_INPUT"),
    );
  });

  test("a request that drips in too slowly, and noise", async () => {
    const { bmo } = await startBmo({ config: { listener: { requestMs: 200 } } });
    const head = `POST /agent/message HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${SECRET}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{`;
    const slow = await sendRaw(bmo.port, [head], { timeoutMs: 30_000 });
    expect(slow).toMatchObject({ status: 408, json: refusedAs("REQUEST_TIMEOUT") });
    const noise = await sendRaw(bmo.port, ["\x16\x03\x01\x02\x00\x01 hello?\r\n\r\n"]);
    expect(noise).toMatchObject({ status: 400, json: refusedAs("INVALID_INPUT") });
  });

  test("more connections of one address than it may have", async () => {
    const { bmo, call } = await startBmo({ config: { listener: { perAddress: 2 } } });
    const sockets = [0, 1, 2].map(() => connect(bmo.port, "127.0.0.1").on("error", () => {}));
    await patiently(() => expect(sockets.filter(({ destroyed }) => destroyed).length).toBe(1));
    for (const socket of sockets) socket.destroy();
    await patiently(async () => expect((await call({}).catch(() => undefined))?.status).toBe(200));
  });

  test("more requests at once than it works on", async () => {
    const { bmo, call } = await startBmo({ config: { listener: { atOnce: 1 } } });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    bmo.hub.beforeReceive = () => {
      begun();
      return held;
    };
    const first = call({});
    await hasBegun;
    const second = await call({ body: { ...message, messageId: "m2" } });
    expect([second.status, second.json, second.headers.get("retry-after")]).toEqual([
      429,
      refusedAs("RATE_LIMITED"),
      "1",
    ]);
    letGo();
    expect((await first).status).toBe(200);
  });
});

test("a mistake of the hub is told as one, without its inside", async () => {
  const { bmo, call } = await startBmo();
  bmo.hub.beforeReceive = () => Promise.reject(new Error("SELECT secret FROM table"));
  const { status, json } = await call({});
  expect([status, json]).toEqual([500, refusedAs("INTERNAL")]);
  expect(JSON.stringify(json)).not.toContain("SELECT");
});

describe("closing", () => {
  test("cuts who has not finished asking, who says nothing, and who comes meanwhile, and answers what the hub works on", async () => {
    const { bmo, call } = await startBmo();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    bmo.hub.beforeReceive = () => {
      begun();
      return held;
    };
    const idle = connect({ port: bmo.port, host: "127.0.0.1", allowHalfOpen: true });
    const half = connect({ port: bmo.port, host: "127.0.0.1", allowHalfOpen: true });
    const cut = [idle, half].map(
      (socket) =>
        new Promise((resolve) =>
          socket
            .on("error", () => {})
            .once("end", resolve)
            .once("close", resolve)
            .resume(),
        ),
    );
    half.write(
      `POST /agent/message HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${SECRET}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{`,
    );
    const working = call({});
    await hasBegun;

    const closed = bmo.link.close();
    await Promise.all(cut);
    await patiently(async () => expect(await call({}).catch(() => "refused")).toBe("refused"));
    letGo();

    expect((await working).status).toBe(200);
    await closed;
    for (const socket of [idle, half]) socket.destroy();
  });

  test("does not wait for ever for a hub that never answers", async () => {
    const { bmo, call } = await startBmo({ config: { listener: { lastAnswersMs: 20 } } });
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    bmo.hub.beforeReceive = () => {
      begun();
      return new Promise(() => {});
    };
    const working = call({}).catch(() => "cut");
    await hasBegun;
    await bmo.link.close();
    expect(await working).toBe("cut");
  });
});
