import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createCaller } from "../fakes/http-call.js";
import { createHubYard } from "../fakes/hub-process.js";
import { askSide, createSides, freePort, type Side } from "../fakes/hub-sides.js";
import { drainInbox, type Member, memberAt, registerAgent } from "../fakes/member.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { patiently } from "../fakes/patiently.js";
import { cli } from "../fakes/run-cli.js";

/* Hubs that talk to hubs, and to plain daemons of document 004, as their users have them: real processes, real sockets. */

const yard = createHubYard();
/** `npm run soak peers` has more. */
const KILLS = Number(process.env["HUDDLE_PEER_KILLS"] ?? 2);
const secret = "a-secret-that-both-sides-share";
const closings: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closings) await close();
  await yard.clear();
});

const { startAgain, pairOfHubs } = createSides(yard);

/** Shared by those tests that leave both running; what they write has ids of its own. */
let pair: Awaited<ReturnType<typeof pairOfHubs>>;
beforeAll(async () => {
  pair = await pairOfHubs();
});

async function stateOf(sender: Member, id: string): Promise<string> {
  const { json } = await sender.receipt(id);
  return String((json["deliveries"] as { state: string }[])[0]?.state);
}

const comesTo = (sender: Member, id: string, state: string) =>
  patiently(async () => expect(await stateOf(sender, id)).toBe(state), 3 * PATIENCE_MS);

test("two hubs are paired by one line, their agents write to each other, and receipts grow through the link", async () => {
  const { bmo, r2d2, ann, bob } = pair;

  const sent = await ann.send("bob@r2d2", "Hello from the other machine", { id: "hello" });
  expect(sent).toMatchObject({ status: 202, json: { delivered: true, target: "bob@r2d2" } });
  const [got] = await bob.inbox("?wait=120");
  expect(got).toMatchObject({
    from: "ann@bmo",
    to: "bob",
    content: "Hello from the other machine",
    trust: "peer",
  });
  await comesTo(ann, "hello", "injected");

  await bob.send("ann@bmo", "Hello back", { reply_to: "hello" });
  const [answer] = await ann.inbox("?wait=120");
  expect(answer).toMatchObject({ from: "bob@r2d2", content: "Hello back", reply_to: "hello" });
  await comesTo(ann, "hello", "answered");

  const log = (side: Side) => readFileSync(join(side.hub.home, "logs", "agent-comms.log"), "utf8");
  await patiently(() => expect(log(bmo)).toContain('"direction":"sent"'));
  await patiently(() => expect(log(r2d2)).toContain('"direction":"received"'));
});

test("the person there is reached, the list of peers says how it is, and an unknown agent bounces with the reason", async () => {
  const { bmo, r2d2, ann } = pair;

  await ann.send("user@r2d2", "Is anybody there?");
  await ann.send("nobody@r2d2", "And you?", { id: "lost" });

  await patiently(async () =>
    expect(JSON.stringify((await askSide(r2d2, "GET", "/api/needs-you")).json)).toContain(
      "Is anybody there?",
    ),
  );
  await comesTo(ann, "lost", "failed");
  expect((await ann.inbox("?wait=120")).slice(-1)).toMatchObject([
    { from: "hub", content: expect.stringContaining("nobody") as unknown },
  ]);
  // An answer that took long says little about the other clock.
  await patiently(async () => {
    const listed = await cli(["peers"], { env: { HUDDLE_HOME: bmo.hub.home } });
    expect(listed.stdout).toMatch(/^r2d2 +hub +127\.0\.0\.1:\d+ +yes .* matched +same +0\.1\.0 +0 /m);
  });
  const pinged = await cli(["peers", "ping", "r2d2"], { env: { HUDDLE_HOME: bmo.hub.home } });
  expect(pinged).toMatchObject({ code: 0, stdout: expect.stringContaining("bob@r2d2") as unknown });
});

test("what is written while the other hub is away waits, and comes once and in order when it is back", async () => {
  const { r2d2, ann, bob } = pair;
  await drainInbox(bob);
  await r2d2.hub.kill();

  const wanted = Array.from({ length: 40 }, (_, n) => `m${n}`);
  for (const id of wanted) expect((await ann.send("bob@r2d2", id, { id })).status).toBe(202);
  const back = await startAgain(r2d2);

  const got: string[] = [];
  const reader = memberAt(back.hub.http, bob);
  pair = { ...pair, r2d2: back, bob: reader };
  await vi.waitUntil(
    async () => {
      got.push(...(await drainInbox(reader)).map(({ content }) => content));
      return got.length >= wanted.length;
    },
    { timeout: 3 * PATIENCE_MS, interval: 50 },
  );
  expect(got).toEqual(wanted);
});

test("both hubs are killed under load, one after the other: nothing is lost, nothing comes twice, and the order holds", async () => {
  let { bmo, r2d2, ann, bob } = pair;
  const accepted: string[] = [];
  const got: string[] = [];
  const read = async () => {
    try {
      got.push(...(await drainInbox(bob)).map(({ content }) => content));
    } catch {
      // Its hub is just not there.
    }
  };
  for (let round = 0; round < KILLS; round++) {
    for (let n = 0; n < 25; n++) {
      const id = `r${round}-${n}`;
      if ((await ann.send("bob@r2d2", id, { id })).status === 202) accepted.push(id);
    }
    await read();
    if (round % 2 === 0) {
      await r2d2.hub.kill();
      r2d2 = await startAgain(r2d2);
      bob = memberAt(r2d2.hub.http, bob);
    } else {
      await bmo.hub.kill();
      bmo = await startAgain(bmo);
      ann = memberAt(bmo.hub.http, ann);
    }
  }
  await vi.waitUntil(
    async () => {
      await read();
      return got.length >= accepted.length;
    },
    { timeout: 3 * PATIENCE_MS, interval: 100 },
  );

  expect(got).toEqual(accepted);
  await expect.poll(() => stateOf(ann, accepted.at(-1) ?? ""), { timeout: 30_000 }).toBe("seen");
});

/** A daemon of document 004 that keeps what it is sent; it answers as it is told to. */
async function startDaemon() {
  const got: { body: Record<string, unknown>; authorization: string | undefined }[] = [];
  const answers: number[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    request.on("end", () => {
      const isMessage = request.url === "/agent/message";
      const status = isMessage ? (answers.shift() ?? 200) : 404;
      if (isMessage && status === 200) {
        const body = JSON.parse(text) as Record<string, unknown>;
        got.push({ body, authorization: request.headers.authorization });
      }
      response.writeHead(status, { "content-type": "application/json" });
      response.end(status === 200 ? '{"ok":true,"queued":false}' : "{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, got, answers };
}

/** Shared, too. */
let beside: Awaited<ReturnType<typeof hubBesideDaemon>>;
beforeAll(async () => {
  beside = await hubBesideDaemon();
});

/** A hub whose configuration is document 004's own, with one plain daemon as its peer. */
async function hubBesideDaemon() {
  const daemon = await startDaemon();
  const port = await freePort();
  const home = yard.home();
  writeFileSync(join(home, "comms-secret"), `${secret}\n`);
  chmodSync(join(home, "comms-secret"), 0o600);
  writeFileSync(
    join(home, "huddle.yaml"),
    [
      "port: 0",
      "agent-comms:",
      "  enabled: true",
      "  secret: file:comms-secret",
      "  name: bmo",
      "  host: 127.0.0.1",
      `  port: ${port}`,
      "  peers:",
      `    - {name: r2d2, host: 127.0.0.1, port: ${daemon.port}, label: R2}`,
    ].join("\n"),
  );
  const hub = await yard.start({ home });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const outside = createCaller(`http://127.0.0.1:${port}`);
  closings.push(outside.close);
  return { daemon, hub, ann, outside };
}

const letter = (more: object = {}) => ({
  from: "r2d2",
  type: "text",
  text: "Hey BMO",
  timestamp: new Date().toISOString(),
  messageId: "0f1d2c3b-0000-4000-8000-000000000001",
  ...more,
});

test("a daemon that knows only document 004 gets text by its peer's name, with the secret, and until it takes it", async () => {
  const { daemon, ann } = beside;
  daemon.answers.push(500, 500);

  await ann.send("r2d2", "Don't duplicate the chunking fix", { id: "one" });

  await patiently(() => expect(daemon.got.length).toBeGreaterThan(0));
  expect(daemon.got).toMatchObject([
    {
      authorization: `Bearer ${secret}`,
      body: { from: "bmo", type: "text", text: "Don't duplicate the chunking fix", messageId: "one" },
    },
  ]);
  await comesTo(ann, "one", "injected");
});

test("it sends by curl: text to whoever gets what names nobody, once for an id, and its status is asked for", async () => {
  const { ann, outside } = beside;

  const sent = await outside.call("POST", "/agent/message", { token: secret, body: letter() });
  const again = await outside.call("POST", "/agent/message", { token: secret, body: letter() });

  expect(sent).toMatchObject({ status: 200, json: { ok: true, queued: false } });
  expect(again).toMatchObject({ status: 200, json: { ok: true } });
  expect(await ann.inbox("?wait=120")).toMatchObject([
    { from: "r2d2", content: "Hey BMO", type: "text", trust: "peer" },
  ]);
  expect(await outside.call("GET", "/agent/status", { token: secret })).toMatchObject({
    status: 200,
    json: { ok: true, name: "bmo", status: "idle" },
  });
});

describe("what a daemon is refused", () => {
  /** Under an id that was not used before. */
  const another = (more: object = {}) =>
    letter({ messageId: "0f1d2c3b-0000-4000-8000-000000000002", ...more });

  beforeAll(() => drainInbox(beside.ann));

  test.each([
    ["the wrong secret", { token: "not-the-secret-of-anybody" }, another(), 401],
    ["no secret", {}, another(), 401],
    ["a name that is no peer's", { token: secret }, another({ from: "c3po" }), 403],
    ["a tunnel in between", { token: secret, headers: { "cf-ray": "1" } }, another(), 403],
    ["a proxy in between", { token: secret, headers: { "x-forwarded-for": "10.0.0.9" } }, another(), 403],
    ["a type that does not exist", { token: secret }, another({ type: "telepathy" }), 400],
    ["an agent that is not there", { token: secret }, another({ to: "nobody" }), 404],
  ])(
    "with %s it is refused in the document's own shape, and nothing is stored",
    async (_, options, body, status) => {
      const refused = await beside.outside.call("POST", "/agent/message", { ...options, body });

      expect(refused).toMatchObject({
        status,
        json: { ok: false, queued: false, error: expect.any(String) as unknown },
      });
      expect(await beside.ann.inbox()).toEqual([]);
      expect((await beside.outside.call("GET", "/api/health", { token: secret })).status).toBe(404);
    },
  );
});
