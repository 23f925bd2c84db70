import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { eventsFields, mailFields } from "../../src/contract/socket/frames.js";
import { paramFields, type RouteOp, routeOps } from "../../src/contract/socket/ops.js";
import { type DrivenSocket, openAgentSocket } from "../fakes/agent-socket.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { journalSeq, type Member, registerAgent } from "../fakes/member.js";

/* Whatever comes on an agent's socket is answered with a code, and stores nothing. */

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;
let socket: DrivenSocket;
let person: DrivenSocket;

beforeAll(async () => {
  hub = await yard.start({
    set: ["events.agent_readers=3", "presence.offline_after=24h", "http.body_limit=64KiB"],
  });
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await registerAgent(hub.http, hub.join, { name: "bob" });
  socket = await openAgentSocket(hub.url, { token: ann.token });
  person = await openAgentSocket(hub.url, { token: hub.operator });
});
afterAll(() => yard.clear());

const ops: Record<string, z.ZodObject> = {
  mail: mailFields,
  events: eventsFields,
  ...Object.fromEntries(
    Object.entries<RouteOp>(routeOps).map(([name, op]) => {
      const params = Object.fromEntries(paramFields(op).map(([, field]) => [field, z.string()]));
      return [name, z.object({ ...params, ...(op.route.body ?? op.route.query)?.shape })];
    }),
  ),
};

/** Something that no field of any operation is. */
const nowhere = { nobody: ["takes", { this: true }] };

describe.each(Object.entries(ops))("%s", (op, schema) => {
  const fields = Object.keys(schema.shape).filter((field) => schema.shape[field] !== undefined);

  test.each([...fields, "unknown_field"])("with %s wrong is refused, and stores nothing", async (field) => {
    const before = await journalSeq(hub.http, hub.operator);

    // Whoever may not do it at all is told that first.
    const asking = op === "register_agent" ? person : socket;
    const { code, answer } = await asking.ask(op, { [field]: nowhere });

    expect({ answer, code }).toEqual({ answer: undefined, code: "INVALID_INPUT" });
    expect(await journalSeq(hub.http, hub.operator)).toBe(before);
  });
});

describe("a frame that is", () => {
  const frames: [string, string | Buffer, string][] = [
    ["empty", "", "BAD_JSON"],
    ["no JSON", "hello", "BAD_JSON"],
    ["cut short", '{"n":1,"op":"sen', "BAD_JSON"],
    ["a list", '[{"n":1,"op":"list_agents"}]', "INVALID_INPUT"],
    ["null", "null", "INVALID_INPUT"],
    ["binary", Buffer.from('{"n":1,"op":"list_agents"}'), "BAD_JSON"],
    ["without n", '{"op":"list_agents"}', "INVALID_INPUT"],
    ["numbered null", '{"n":null,"op":"list_agents"}', "INVALID_INPUT"],
    ["numbered in words", '{"n":"1","op":"list_agents"}', "INVALID_INPUT"],
    ["numbered with 10 kB", `{"n":"${"1".repeat(10_000)}","op":"list_agents"}`, "INVALID_INPUT"],
    ["numbered below 0", '{"n":-1,"op":"list_agents"}', "INVALID_INPUT"],
    ["numbered with a fraction", '{"n":1.5,"op":"list_agents"}', "INVALID_INPUT"],
    ["numbered beyond what JSON holds", '{"n":9007199254740993,"op":"list_agents"}', "INVALID_INPUT"],
    ["nested 10,000 deep", `{"n":1,"op":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, "BAD_JSON"],
    ["of a key given twice", '{"n":1,"n":2,"op":"list_agents"}', "BAD_JSON"],
    ["of the key __proto__", '{"n":1,"op":"list_agents","__proto__":{}}', "BAD_JSON"],
    ["of half a surrogate pair", '{"n":1,"op":"\\ud800"}', "BAD_JSON"],
    ["of NUL", '{"n":1,"op":"\\u0000"}', "BAD_JSON"],
    ["begun with a byte order mark", '\uFEFF{"n":1,"op":"list_agents"}', "BAD_JSON"],
  ];

  test.each(frames)("%s is refused without a number, and the socket stays open", async (_, frame, code) => {
    const own = await openAgentSocket(hub.url, { token: ann.token });

    if (Buffer.isBuffer(frame)) own.sendBinary(frame);
    else own.send(frame);

    expect(await own.until(({ n }) => n === null)).toMatchObject({ n: null, code });
    expect((await own.ask("list_agents")).answer).toBeDefined();
    own.cut();
    await own.ended;
  });

  test.each([
    ["without op", { n: 900 }],
    ["with an op that is no text", { n: 901, op: 7 }],
    ["with the op of a property of all objects", { n: 902, op: "constructor" }],
    ["with the op __proto__", { n: 903, op: "__proto__" }],
  ])("%s is refused under its number", async (_, frame) => {
    socket.send(frame);

    expect(await socket.until(({ n }) => n === frame.n)).toMatchObject({ code: "INVALID_INPUT" });
  });

  test("numbered as one that is not answered yet is refused, and that one still is answered", async () => {
    const own = await openAgentSocket(hub.url, { token: ann.token });
    own.send({ n: 5, op: "wait", wait: 60 });
    own.send({ n: 5, op: "list_agents" });

    expect(await own.until(({ n }) => n === 5)).toMatchObject({ code: "INVALID_INPUT" });

    await hub.http.call("POST", "/api/agents/ann/messages", {
      token: hub.operator,
      body: { message: "an answer" },
    });
    expect((await own.until(({ answer }) => answer !== undefined)).n).toBe(5);
    own.cut();
    await own.ended;
  });

  test("larger than a body may be closes the socket with 1009, and one just below is taken", async () => {
    const own = await openAgentSocket(hub.url, { token: ann.token });
    const { frame_bytes } = own.frames[0] as { frame_bytes?: number };
    const most = Number(frame_bytes);
    const around = JSON.stringify({ n: 1, op: "send", to: "bob", message: "" }).length;

    expect((await own.ask("send", { to: "bob", message: "x".repeat(most - around) })).answer).toBeDefined();
    own.send({ n: 9, op: "send", to: "bob", message: "x".repeat(most) });

    expect(await own.ended).toMatchObject({ code: 1009 });
  });
});

describe("opening", () => {
  test.each([
    ["no token", () => ({}), 401],
    ["an unknown token", () => ({ token: "hud_agent_nobody" }), 401],
    ["the join token", () => ({ token: hub.join }), 403],
    ["a token in the query", () => ({ query: `?token=${ann.token}` }), 401],
    ["an unknown parameter", () => ({ token: ann.token, query: "?x=1" }), 400],
    ["a used ticket", () => ({ query: "?ticket=abc" }), 401],
    ["a foreign origin", () => ({ token: ann.token, headers: { origin: "http://localhost.evil.com" } }), 403],
    ["the origin null", () => ({ token: ann.token, headers: { origin: "null" } }), 403],
    ["a foreign host", () => ({ token: ann.token, headers: { host: "evil.com" } }), 403],
  ])("with %s is refused before the upgrade", async (_, options, status) => {
    await expect(openAgentSocket(hub.url, options())).rejects.toMatchObject({ status });
  });

  test("with a ticket works once", async () => {
    const { json } = await ann.call("POST", "/auth/ticket");
    const query = `?ticket=${String(json["ticket"])}`;

    const own = await openAgentSocket(hub.url, { query });

    expect(own.frames[0]).toMatchObject({ id: ann.id });
    await expect(openAgentSocket(hub.url, { query })).rejects.toMatchObject({ status: 401 });
    own.cut();
    await own.ended;
  });

  test("more sockets than one agent may have is refused with 429, and others still may", async () => {
    const more = await Promise.all([1, 2].map(() => openAgentSocket(hub.url, { token: ann.token })));
    await expect(openAgentSocket(hub.url, { token: ann.token })).rejects.toMatchObject({
      status: 429,
      code: "TOO_MANY_READERS",
    });
    const other = await openAgentSocket(hub.url, { token: hub.operator });
    for (const one of [...more, other]) one.cut();
    await Promise.all([...more, other].map(({ ended }) => ended));
  });

  test("without an upgrade says how", async () => {
    const { status, json } = await ann.call("GET", "/api/agent-socket");
    expect({ status, error: json["error"] }).toEqual({ status: 400, error: "Open this as a WebSocket" });
  });
});

test.each([
  ["registers", "register_agent", { name: "eve" }],
  ["changes another", "update_agent", { agent: "bob", model: "m" }],
  ["removes another", "deregister_agent", { name: "bob" }],
  ["assigns a task", "assign_task", { agent: "bob", prompt: "x" }],
])("an agent that %s is refused as over HTTP", async (_, op, fields) => {
  expect(await socket.ask(op, fields)).toMatchObject({ code: "FORBIDDEN" });
});

test("an agent that sends as another is refused, and the refusal says that nothing was delivered", async () => {
  expect(await socket.ask("send", { to: "bob", message: "x", sender: "bob" })).toMatchObject({
    code: "SENDER_MISMATCH",
    delivered: false,
  });
});
