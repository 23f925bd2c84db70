import { afterAll, beforeAll, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { connectMcp, eras } from "../fakes/mcp-client.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;

beforeAll(async () => {
  hub = await yard.start({ set: ["presence.offline_after=24h"] });
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
});
afterAll(() => yard.clear());

let people = 0;
const newcomer = () => registerAgent(hub.http, hub.join, { name: `bob-${++people}` });

async function readers(at = hub): Promise<unknown> {
  return (await at.http.call("GET", "/api/health", { token: at.operator })).json["readers"];
}

test.each(eras)("a wait is woken by the message, and by nothing else (%s)", async (era) => {
  const bob = await newcomer();
  const mcp = await connectMcp(hub, bob.token, { era });
  const waiting = mcp.call("wait_for_message", { from: "ann", timeout_seconds: 60 });
  await patiently(async () => expect(await readers()).toBe(1));

  await hub.http.call("POST", `/api/agents/${bob.name}/messages`, {
    token: hub.operator,
    body: { message: "from the person" },
  });
  await ann.send(bob.name, "from ann");

  expect(await waiting).toMatchObject({ message: { from: "ann", content: "from ann" }, timed_out: false });
  expect(await mcp.call("wait_for_message")).toMatchObject({ message: { content: "from the person" } });
});

test.each(eras)("a wait whose time is up says so (%s)", async (era) => {
  const mcp = await connectMcp(hub, (await newcomer()).token, { era });

  expect(await mcp.call("wait_for_message", { timeout_seconds: 0.05 })).toMatchObject({
    message: null,
    timed_out: true,
  });
});

test("one message at a time, in order", async () => {
  const bob = await newcomer();
  const mcp = await connectMcp(hub, bob.token);
  for (const text of ["one", "two"]) await ann.send(bob.name, text);

  const first = await mcp.call("wait_for_message");
  expect(first).toMatchObject({ message: { content: "one" }, more: true });
  expect(await mcp.call("wait_for_message", { ack: first["ack"] })).toMatchObject({
    message: { content: "two" },
  });
});

test.each(eras)("a client that cancels ends its wait in the hub (%s)", async (era) => {
  const mcp = await connectMcp(hub, (await newcomer()).token, { era });
  const cancel = new AbortController();
  const waiting = mcp.call("wait_for_message", { timeout_seconds: 60 }, cancel.signal);
  await patiently(async () => expect(await readers()).toBe(1));

  cancel.abort("enough");

  await expect(waiting).rejects.toThrow();
  await patiently(async () => expect(await readers()).toBe(0));
});

test("a notification of another connection cancels the one call with that id, and not that of another agent", async () => {
  const [bob, carol] = [await newcomer(), await newcomer()];
  const accept = { accept: "application/json, text/event-stream" };
  const wait = { name: "wait_for_message", arguments: { timeout_seconds: 60 } };
  const body = { jsonrpc: "2.0", id: 7, method: "tools/call", params: wait };
  const bobs = bob.call("POST", "/mcp", { body, headers: accept });
  const carols = carol.call("POST", "/mcp", { body, headers: accept });
  await patiently(async () => expect(await readers()).toBe(2));

  const params = { requestId: 7, reason: "enough" };
  const note = await bob.call("POST", "/mcp", {
    body: { jsonrpc: "2.0", method: "notifications/cancelled", params },
    headers: accept,
  });

  expect(note.status).toBe(202);
  expect(await bobs).toMatchObject({ status: 499, text: "" });
  expect(await readers()).toBe(1);
  await ann.send(carol.name, "hello");
  expect((await carols).status).toBe(200);
});

test("a wait with a progress token is told that it goes on, as an event stream", async () => {
  const bob = await newcomer();
  const params = {
    name: "wait_for_message",
    arguments: { timeout_seconds: 60 },
    _meta: { progressToken: "p" },
  };
  const answering = bob.call("POST", "/mcp", {
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    headers: { accept: "application/json, text/event-stream" },
  });
  await patiently(async () => expect(await readers()).toBe(1));
  await ann.send(bob.name, "hello");

  const { headers, text } = await answering;

  expect(headers["content-type"]).toBe("text/event-stream");
  expect(text).toMatch(/^(event: message\ndata: \{.*\}\n\n)+$/);
  expect(text).toContain("hello");
});

test("a wait that is made again waits for what is left of its time", async () => {
  const bob = await newcomer();
  const params = { name: "wait_for_message", arguments: { timeout_seconds: 60 } };
  const answer = await bob.call("POST", "/mcp", {
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    headers: { accept: "application/json, text/event-stream", "huddle-waited": "59999" },
  });

  expect(answer.text).toContain(String.raw`\"timed_out\":true`);
});

test("a wait that names no time is one of 30 s", async () => {
  const bob = await newcomer();
  const params = { name: "wait_for_message", arguments: {}, _meta: { progressToken: "p" } };
  const answer = await bob.call("POST", "/mcp", {
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    headers: { accept: "application/json, text/event-stream", "huddle-waited": "19000" },
  });

  // What is left of it is told every ten seconds.
  expect(answer.text).toContain('"progress":10,"total":11');
  expect(answer.text).toContain(String.raw`\"timed_out\":true`);
});

test("when the hub stops, an open wait is told so; one for something else is refused, and does not pass for a time-out", async () => {
  const other = await yard.start();
  const bob = await registerAgent(other.http, other.join, { name: "bob" });
  const clients = await Promise.all(eras.map((era) => connectMcp(other, bob.token, { era })));
  const timeout_seconds = 60;
  const waits = clients.map((mcp) => mcp.call("wait_for_message", { timeout_seconds }));
  const filtered = clients.map((mcp) => mcp.call("wait_for_message", { timeout_seconds, from: "user" }));
  await patiently(async () => expect(await readers(other)).toBe(4));

  const stopping = other.stop();

  for (const waiting of waits) {
    expect(await waiting).toMatchObject({ message: { from: "hub", notice: "stop" }, timed_out: false });
  }
  for (const waiting of filtered) expect(await waiting).toMatchObject({ code: "SHUTTING_DOWN" });
  expect((await stopping).code).toBe(0);
});

test("when the agent is removed, its wait ends and its token is refused", async () => {
  const bob = await newcomer();
  const mcp = await connectMcp(hub, bob.token);
  const waiting = mcp.call("wait_for_message", { timeout_seconds: 60 });
  await patiently(async () => expect(await readers()).toBe(1));

  await hub.http.call("DELETE", `/api/agents/${bob.name}`, { token: hub.operator });

  expect(await waiting).toMatchObject({ code: "AGENT_GONE" });
  await expect(mcp.call("list_agents")).rejects.toThrow();
  const answer = await bob.call("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "ping" } });
  expect(answer).toMatchObject({ status: 401, json: { code: "UNAUTHENTICATED" } });
});

test("when the agent is asked to shut down, a wait for that gets it and one for something else ends", async () => {
  const [ann, bob] = [await newcomer(), await newcomer()];
  const mcp = await connectMcp(hub, bob.token);
  const waits = [{}, { from: ann.name }].map((filter) =>
    mcp.call("wait_for_message", { timeout_seconds: 60, ...filter }),
  );
  await patiently(async () => expect(await readers()).toBe(2));

  const asked = await hub.http.call("POST", `/api/agents/${bob.name}/shutdown`, {
    token: hub.operator,
    body: {},
  });

  expect(asked.json).toEqual({ acknowledged: true });
  const [any, other] = await Promise.all(waits);
  expect(any).toMatchObject({
    message: { type: "shutdown", from: "user", source: "user", trust: "human" },
    timed_out: false,
  });
  expect(other).toMatchObject({ message: null, timed_out: false });
  expect(other?.["next"]).toContain("you are asked to end");
});

test.each([0, -1, "ten", null])("a timeout of %j is refused", async (timeout_seconds) => {
  const mcp = await connectMcp(hub, (await newcomer()).token);

  expect(await mcp.call("wait_for_message", { timeout_seconds })).toMatchObject({
    isError: true,
    code: "INVALID_INPUT",
  });
});

test("a wait that asks for more than one call may take is cut, and says that it can go on", async () => {
  const short = await yard.start({ set: ["inbox.wait_max=1s"] });
  const bob = await registerAgent(short.http, short.join, { name: "bob" });
  const mcp = await connectMcp(short, bob.token);

  const answer = await mcp.call("wait_for_message", { timeout_seconds: 100_000 });

  expect(answer).toMatchObject({ message: null, timed_out: true });
  expect(answer["next"]).toMatch(/the most that one call may; call again/);
});
