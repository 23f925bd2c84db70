import { expect, onTestFinished, test } from "vitest";
import { closedPort, type Script, scriptedHub } from "../../test/fakes/scripted-hub.js";
import { containing, matching } from "../../test/fakes/text-matching.js";
import { createClient } from "./http-client.js";

const receipt = {
  delivered: true,
  target: "bob",
  message_id: "m1",
  seq: 7,
  state: "accepted",
  delayed_ms: 0,
};
const accepted = { status: 202, json: receipt };
const stopping = { status: 503, json: { error: "The hub is stopping", code: "SHUTTING_DOWN" } };

async function clientOf(script: Script, timeoutMs = 60_000) {
  const hub = await scriptedHub(script);
  const client = createClient({ url: hub.url, token: "secret", timeoutMs });
  onTestFinished(() => client.close());
  return { hub, client };
}

function idsOf(calls: readonly { body: unknown }[]): unknown[] {
  return calls.map(({ body }) => (body as { id: unknown }).id);
}

test("a send carries the token, an id of its own and an encoded name", async () => {
  const { hub, client } = await clientOf(() => accepted);
  expect(await client.send("../b b", { message: "hi" })).toEqual(receipt);
  expect(hub.calls).toMatchObject([
    {
      method: "POST",
      path: "/api/agents/..%2Fb%20b/messages",
      authorization: "Bearer secret",
      body: { message: "hi", id: matching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) },
    },
  ]);
});

test("a send that is cut off is repeated under the same id", async () => {
  const { hub, client } = await clientOf((_, nth) => (nth < 3 ? "reset" : accepted));
  await client.send("bob", { message: "hi" });
  expect(hub.calls).toHaveLength(3);
  expect(new Set(idsOf(hub.calls)).size).toBe(1);
});

test("a send to a hub that is stopping is repeated, under the id that was given", async () => {
  const { hub, client } = await clientOf((_, nth) => (nth === 1 ? stopping : accepted));
  await client.send("bob", { message: "hi", id: "mine" });
  expect(idsOf(hub.calls)).toEqual(["mine", "mine"]);
});

test("a send gives up when its time is over, and says under which id it may have arrived", async () => {
  const { hub, client } = await clientOf(() => "reset", 2000);
  await expect(client.send("bob", { message: "hi", id: "mine" })).rejects.toMatchObject({
    code: "HUB_UNREACHABLE",
    details: { message_id: "mine", sent: true },
  });
  expect(hub.calls.length).toBeGreaterThan(1);
});

test("a refusal is not repeated", async () => {
  const { hub, client } = await clientOf(() => ({
    status: 404,
    json: { error: "Agent not found", code: "AGENT_NOT_FOUND", delivered: false, available: ["bob"] },
  }));
  await expect(client.send("bbo", { message: "hi" })).rejects.toMatchObject({
    name: "HubError",
    code: "AGENT_NOT_FOUND",
    message: "Agent not found",
    details: { delivered: false, available: ["bob"] },
  });
  expect(hub.calls).toHaveLength(1);
});

test("registering is never repeated: it would register twice", async () => {
  const { hub, client } = await clientOf(() => "reset");
  await expect(client.register({ name: "bob" })).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
  expect(hub.calls).toHaveLength(1);
});

test("a question that is cut off is asked once more", async () => {
  const page = { agents: [], self: null, next: null };
  const { hub, client } = await clientOf((_, nth) => (nth === 1 ? "reset" : { status: 200, json: page }));
  expect(await client.listAgents({ team: "a b", limit: 5 })).toEqual(page);
  expect(hub.calls.map(({ path }) => path)).toEqual(Array(2).fill("/api/agents?team=a+b&limit=5"));
});

test("where nothing listens, the answer is to start the hub, at once", async () => {
  const client = createClient({ url: `http://127.0.0.1:${await closedPort()}`, timeoutMs: 600_000 });
  await expect(client.send("bob", { message: "hi" })).rejects.toMatchObject({
    code: "HUB_UNREACHABLE",
    message: containing("`huddle up`"),
    details: { reason: "ECONNREFUSED", sent: false },
  });
});

test("a code of a newer hub is kept in the text", async () => {
  const { client } = await clientOf(() => ({
    status: 409,
    json: { error: "Frozen", code: "PAIR_FROZEN", pair: "a" },
  }));
  await expect(client.health()).rejects.toMatchObject({
    code: "INTERNAL",
    message: "Frozen (PAIR_FROZEN)",
    details: { hub_code: "PAIR_FROZEN", pair: "a" },
  });
});

test.each([
  ["not JSON", { status: 200, text: "<html>" }],
  ["half a document", { status: 200, text: '{"agents":[' }],
  ["another document", { status: 200, json: { agents: "none" } }],
  ["another server's page", { status: 502, text: "Bad gateway" }],
])("what is no answer of a hub is refused: %s", async (_, scripted) => {
  const { client } = await clientOf(() => scripted);
  await expect(client.listAgents()).rejects.toMatchObject({
    code: "INTERNAL",
    details: { status: scripted.status },
  });
});

test("an answer that takes too long is given up on", async () => {
  const { client } = await clientOf(() => new Promise(() => {}), 100);
  await expect(client.health()).rejects.toMatchObject({ code: "TIMED_OUT" });
});

test("waiting for mail may take as long as the wait, and ends with its signal", async () => {
  const leave = new AbortController();
  const { hub, client } = await clientOf(() => {
    setTimeout(() => leave.abort(new Error("enough")), 300);
    return new Promise(() => {});
  }, 100);
  const waiting = client.inbox({ wait: 60 }, { signal: leave.signal });
  await expect(waiting).rejects.toThrow("enough");
  expect(hub.calls.map(({ path }) => path)).toEqual(["/api/inbox?wait=60"]);
});

test("calls that answer nothing resolve to nothing", async () => {
  const { hub, client } = await clientOf((_, nth) => (nth === 1 ? stopping : { status: 204 }));
  expect(await client.heartbeat("bob")).toBeUndefined();
  expect(await client.deregister("bob")).toBeUndefined();
  expect(hub.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /api/agents/bob/heartbeat",
    "POST /api/agents/bob/heartbeat",
    "DELETE /api/agents/bob",
  ]);
});
