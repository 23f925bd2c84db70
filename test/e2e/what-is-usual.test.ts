import { afterAll, beforeAll, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { connectMcp } from "../fakes/mcp-client.js";
import { registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";

/* What happens to a message whose sender leaves something open is set in the configuration. */

const yard = createHubYard();
let hub: HubProcess;
/** However long this machine takes, the second message comes too soon. */
const slow = ["cooldown.quick=10m", "cooldown.reset=20m", 'cooldown.delays=["10m"]'];

beforeAll(async () => {
  hub = await yard.start({ paced: true, set: [...slow, "cooldown.mode=reject", "attention.http=interrupt"] });
});
afterAll(() => yard.clear());

const join = (name: string, more = {}) => registerAgent(hub.http, hub.join, { name, ...more });
const rateLimited = {
  delivered: false,
  error: "Rate limited",
  retry_after_ms: expect.any(Number) as unknown,
};

test("where refusing is usual, mail that comes too soon is refused by every way to send, unless it says hold", async () => {
  const [ann, bob] = [await join("ann"), await join("bob")];
  await join("eve");
  const mcp = await connectMcp(hub, ann.token, { era: "2025-11-25", set: "tabs" });
  await ann.send("bob", "one");

  const byHttp = await ann.send("bob", "two");
  expect([byHttp.status, byHttp.json]).toMatchObject([429, rateLimited]);
  const byTool = await mcp.call("send_to_agent", { target: "bob", message: "two" });
  expect(byTool).toMatchObject(rateLimited);
  const bySession = await ann.call("POST", `/api/sessions/${bob.id}/messages`, { body: { message: "two" } });
  expect([bySession.status, bySession.json["error"]]).toEqual([429, "Rate limited"]);
  const toAll = await ann.call("POST", "/api/agents/broadcast", { body: { message: "two" } });
  expect(toAll.json).toMatchObject({ delivered_to: ["eve"], failed: ["bob"] });

  const held = await mcp.call("send_to_agent", { target: "bob", message: "two", if_limited: "hold" });
  expect(held).toMatchObject({ delivered: true, state: "held", reason: "cooldown" });
});

test("send_to_agent refuses for a sender that asks for it, in the words of its document", async () => {
  const holding = await yard.start({ paced: true, set: slow });
  const ann = await registerAgent(holding.http, holding.join, { name: "ann" });
  await registerAgent(holding.http, holding.join, { name: "bob" });
  const mcp = await connectMcp(holding, ann.token, { era: "2025-11-25", set: "tabs" });
  const send = (more = {}) => mcp.call("send_to_agent", { target: "bob", message: "hello", ...more });

  expect(await send()).toMatchObject({ delivered: true, target: "bob" });
  expect(await send({ if_limited: "reject" })).toMatchObject(rateLimited);
  expect(await send({ if_limited: "maybe" })).toMatchObject({ code: "INVALID_INPUT", delivered: false });
  expect(await send()).toMatchObject({ delivered: true, state: "held", reason: "cooldown" });
});

test("over HTTP a message interrupts where that is usual, unless it or its sender says otherwise", async () => {
  const [plain, quiet] = [await join("plain"), await join("quiet", { attention: "fyi" })];
  const [a, b, c] = [await join("one"), await join("two"), await join("three")];
  await plain.send("one", "hello");
  await plain.send("two", "hello", { attention: "queue" });
  await quiet.send("three", "hello");
  await plain.call("POST", "/api/agents/broadcast", { body: { message: "all" } });

  const attentions = async (member: typeof a) =>
    (await member.inbox()).map((message) => "attention" in message && message.attention);
  expect((await attentions(a))[0]).toBe("interrupt");
  expect((await attentions(b))[0]).toBe("queue");
  expect((await attentions(c))[0]).toBe("fyi");
});

test("the person's program can say queue all the same", async () => {
  const reader = await join("reader");
  const send = (...argv: string[]) => cli(["send", "reader", ...argv], { env: { HUDDLE_HOME: hub.home } });
  await send("first");
  await send("second", "--queue");
  const refused = await send("third", "--queue", "--fyi");

  expect(refused.code).not.toBe(0);
  expect(await reader.inbox()).toMatchObject([
    { content: "first", attention: "interrupt" },
    { content: "second", attention: "queue" },
  ]);
});

test("a message carries its callback URL under either name, and under both only if they agree", async () => {
  const [ann, bob] = [await join("caller"), await join("called")];
  const [here, there] = ["http://127.0.0.1:1/a", "http://127.0.0.1:1/b"];
  const sends = [{ callbackUrl: here }, { callback_url: here }, { callbackUrl: here, callback_url: here }];
  for (const [i, fields] of sends.entries()) {
    // One id: by whatever name the URL was given, it is the same message.
    expect((await ann.send("called", "done?", { id: "call", ...fields })).status, String(i)).toBe(202);
  }
  expect(await bob.inbox()).toMatchObject([{ content: "done?", callback_url: here }]);

  const torn = await ann.send("called", "done?", { callbackUrl: here, callback_url: there });
  expect([torn.status, torn.json]).toMatchObject([
    400,
    { code: "INVALID_INPUT", error: "callback_url: is not what callbackUrl says; give one of the two" },
  ]);
  const none = await ann.send("called", "done?", { callbackUrl: "nowhere" });
  expect([none.status, none.json["code"]]).toEqual([400, "INVALID_INPUT"]);
});

test("tools are described by the durations of their hub", async () => {
  const set = ["inbox.wait_max=20s", "requests.default=45s", "work.lease=10m"];
  const other = await yard.start({ set });
  const ann = await registerAgent(other.http, other.join, { name: "ann" });
  const describe = async (at: HubProcess, token: string) => {
    const { client } = await connectMcp(at, token, { era: "2025-11-25" });
    return JSON.stringify((await client.listTools()).tools);
  };

  const usual = await describe(hub, (await join("usual")).token);
  for (const words of ["default 30, at most 120", "claimed, default 30", "default 1800"])
    expect(usual).toContain(words);
  const configured = await describe(other, ann.token);
  for (const words of ["default 30, at most 20", "claimed, default 45", "default 600"])
    expect(configured).toContain(words);
});
