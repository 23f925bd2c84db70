import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { openCallbackServer } from "../../../test/fakes/callback-server.js";
import { peerNamed } from "../../../test/fakes/linked-hubs.js";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";
import { createTestTimers } from "../../../test/fakes/test-timers.js";
import { createCallbackSender } from "./callback-sender.js";
import type { ResolveHost } from "./pick-address.js";

const SECRET = "a-secret-of-24-bytes-abc";

type Scene = { host?: string; resolve?: ResolveHost; secretOf?: () => Promise<string>; withinMs?: number };

/** A hub with one peer at that port, and an answer of ben to ann's question, which is due. */
async function openScene(port: number, { host = "127.0.0.1", ...more }: Scene = {}) {
  const hub = openTestHub();
  await hub.execute("addPeer", { peer: peerNamed("r2d2", { host, port, kind: "plain" }) });
  const [ann, ben] = [await hub.register("ann"), await hub.register("ben")];
  const url = `http://${host}:${port}/back?to=ann`;
  const question = await hub.send(ann, ben, "which port?", { callbackUrl: url, id: "q-1" });
  const send = (content: string, id: string) =>
    hub.send(ben, ann, content, { replyTo: question.messageId, context: "the desk", id });
  await send("9223 ✓", "a-1");
  return { hub, send, ...startSender(hub, more) };
}

function startSender(
  hub: TestHub,
  { resolve = async () => ["127.0.0.1"], secretOf = async () => SECRET, withinMs = 5000 }: Scene,
) {
  const errors: unknown[] = [];
  const sender = createCallbackSender({
    views: hub.views,
    execute: hub.execute,
    onCommitted: hub.onCommitted,
    after: createTestTimers().after,
    secretOf,
    resolve,
    onError: (error) => errors.push(error),
    withinMs,
  });
  return { sender, errors };
}

/** Rings what is due, and waits until what came of it is in the journal. */
async function tryOnce(hub: TestHub) {
  const next = hub.views.alarms.next();
  if (next !== undefined) hub.clock.advance(Math.max(0, next.due - hub.now()));
  const told = nextOutcome(hub);
  await hub.ring();
  return told;
}

function nextOutcome(hub: TestHub) {
  return new Promise<Record<string, unknown>>((resolve) => {
    const unlisten = hub.onCommitted((events) => {
      for (const event of events) {
        if (event.type !== "CallbackDone" && event.type !== "CallbackDue") continue;
        unlisten();
        resolve(event.data);
      }
    });
  });
}

test("an answer is POSTed as an AgentMessage of document 004, signed with the peer's secret", async () => {
  const server = await openCallbackServer();
  const { hub, sender, errors } = await openScene(server.port);

  expect(await tryOnce(hub)).toMatchObject({ outcome: "delivered", attempt: 1 });

  const [call] = server.calls;
  expect(call?.path).toBe("/back?to=ann");
  expect(JSON.parse(call?.body ?? "")).toEqual({
    from: "ben",
    type: "text",
    text: "9223 ✓",
    context: "the desk",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    messageId: "a-1",
    replyTo: "q-1",
  });
  const hmac = createHmac("sha256", SECRET)
    .update(call?.body ?? "")
    .digest("hex");
  expect(call?.headers["x-huddle-signature"]).toBe(`sha256=${hmac}`);
  expect(Object.keys(call?.headers ?? {}).sort()).toEqual([
    "connection",
    "content-length",
    "content-type",
    "host",
    "x-huddle-signature",
  ]);
  expect(call?.headers.host).toBe(`127.0.0.1:${server.port}`);
  expect(errors).toEqual([]);
  await sender.end();
});

test("a peer that fails at first gets the same bytes again, by the same id", async () => {
  const server = await openCallbackServer((response, call) => response.writeHead(call < 3 ? 503 : 200).end());
  const { hub } = await openScene(server.port);

  expect(await tryOnce(hub)).toMatchObject({ attempt: 2, failed: "it answered 503" });
  expect(await tryOnce(hub)).toMatchObject({ attempt: 3, failed: "it answered 503" });
  expect(await tryOnce(hub)).toMatchObject({ outcome: "delivered", attempt: 3 });

  expect(new Set(server.calls.map(({ body }) => body)).size).toBe(1);
});

test.each([301, 302, 303, 307, 308])("a redirect by %i is not followed", async (status) => {
  const elsewhere = await openCallbackServer();
  const location = `http://127.0.0.1:${elsewhere.port}/stolen`;
  const server = await openCallbackServer((response) => response.writeHead(status, { location }).end());
  const { hub } = await openScene(server.port);

  expect(await tryOnce(hub)).toMatchObject({ failed: `it answered ${status}` });

  expect(elsewhere.calls).toEqual([]);
});

test("an answer without an end is not read: its status is enough", async () => {
  const server = await openCallbackServer((response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("x".repeat(1_000_000));
  });
  const { hub } = await openScene(server.port);
  expect(await tryOnce(hub)).toMatchObject({ outcome: "delivered" });
});

test("headers without an end are a failure", async () => {
  const server = await openCallbackServer((response) =>
    response.writeHead(200, { "x-long": "x".repeat(15_000) }).end(),
  );
  const { hub } = await openScene(server.port);
  expect(await tryOnce(hub)).toMatchObject({ attempt: 2, failed: "HPE_HEADER_OVERFLOW" });
});

test("a peer that takes the call and never answers has had its time", async () => {
  const server = await openCallbackServer(() => {});
  const { hub } = await openScene(server.port, { withinMs: 50 });
  expect(await tryOnce(hub)).toMatchObject({ attempt: 2, failed: "it did not answer in time" });
});

test("a resolver that never answers has had its time, too", async () => {
  const { hub } = await openScene(3847, {
    host: "mini.local",
    resolve: () => new Promise(() => {}),
    withinMs: 50,
  });
  expect(await tryOnce(hub)).toMatchObject({ attempt: 2, failed: "it did not answer in time" });
});

test("a peer that is down is tried again", async () => {
  const { hub } = await openScene(1);
  expect(await tryOnce(hub)).toMatchObject({ attempt: 2, failed: "ECONNREFUSED" });
});

test("a name is looked up once for each call, and the call goes to what was checked: a resolver that changes its mind leads nobody astray", async () => {
  const server = await openCallbackServer();
  let lookups = 0;
  // Good when it is checked, loopback when anybody asks again.
  const resolve = async () => (++lookups % 2 === 1 ? ["192.0.2.1"] : ["127.0.0.1"]);
  const { hub } = await openScene(server.port, { host: "mini.local", resolve, withinMs: 300 });

  const first = await tryOnce(hub);
  expect(lookups).toBe(1);
  const second = await tryOnce(hub);

  expect(first).toMatchObject({ attempt: 2 });
  expect(second).toMatchObject({
    attempt: 3,
    failed: "mini.local leads to 127.0.0.1, which no callback may go to",
  });
  expect(server.calls).toEqual([]);
});

test("a name that leads to loopback is not called, unless it is localhost itself", async () => {
  const server = await openCallbackServer();
  const astray = await openScene(server.port, { host: "mini.local" });
  expect(await tryOnce(astray.hub)).toMatchObject({ failed: expect.stringContaining("127.0.0.1") as string });
  expect(server.calls).toEqual([]);

  const meant = await openScene(server.port, { host: "localhost" });
  expect(await tryOnce(meant.hub)).toMatchObject({ outcome: "delivered" });
  expect(server.calls[0]?.headers.host).toBe(`localhost:${server.port}`);
});

test("a secret that cannot be read is a failure that says so, and nothing is sent", async () => {
  const server = await openCallbackServer();
  const secretOf = () => Promise.reject(new Error(`what holds ${SECRET} is broken`));
  const { hub } = await openScene(server.port, { secretOf });

  expect(await tryOnce(hub)).toMatchObject({ attempt: 2, failed: "the connection failed" });
  expect(server.calls).toEqual([]);
});

test("a peer that is none any more is not called, and that is the end of it", async () => {
  const server = await openCallbackServer();
  const { hub, sender } = await openScene(server.port);
  await sender.end();
  await hub.execute("removePeer", { name: "r2d2" });
  startSender(hub, {});

  expect(await tryOnce(hub)).toMatchObject({ outcome: "given_up", reason: "it is no peer's any more" });
  expect(server.calls).toEqual([]);
});

test("a hub that ended in the middle of a call makes it again when it starts", async () => {
  const server = await openCallbackServer((response, call) => {
    if (call > 1) response.writeHead(204).end();
  });
  const { hub, sender } = await openScene(server.port);
  await hub.ring();
  await server.called(1);
  await sender.end();

  const again = await hub.restart();
  const told = nextOutcome(again);
  startSender(again, {}).sender.begin();

  expect(await told).toMatchObject({ outcome: "delivered", attempt: 1 });
  expect(server.calls.map(({ body }) => body)[1]).toBe(server.calls[0]?.body);
});

test("what is not due yet when a hub starts waits for its alarm", async () => {
  const server = await openCallbackServer((response, call) =>
    response.writeHead(call === 1 ? 500 : 204).end(),
  );
  const { hub, sender } = await openScene(server.port);
  await tryOnce(hub);
  await sender.end();

  const again = await hub.restart();
  startSender(again, {}).sender.begin();
  await again.settled();
  expect(server.calls).toHaveLength(1);

  expect(await tryOnce(again)).toMatchObject({ outcome: "delivered", attempt: 2 });
});

test("many at once are all made, a few at a time", async () => {
  let most = 0;
  let open = 0;
  const server = await openCallbackServer((response) => {
    most = Math.max(most, ++open);
    setImmediate(() => {
      open--;
      response.writeHead(204).end();
    });
  });
  const { hub, send } = await openScene(server.port);
  for (let n = 2; n <= 40; n++) await send(`answer ${n}`, `a-${n}`);

  await hub.ring();
  await server.called(40);

  expect(new Set(server.calls.map(({ body }) => body)).size).toBe(40);
  expect(most).toBeLessThanOrEqual(8);
});
