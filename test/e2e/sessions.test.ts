import { afterAll, beforeAll, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { memberAt, registerAgent } from "../fakes/member.js";
import { PATIENCE_MS } from "../fakes/patience.js";

const yard = createHubYard();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start({ set: ["agents.depth=1"] });
});
afterAll(() => yard.clear());

const asOperator = (method: string, path: string, body?: unknown) =>
  hub.http.call(method, path, { token: hub.operator, ...(body === undefined ? {} : { body }) });

test("a session is created with its first message, gets more, and tells its state", async () => {
  const created = await asOperator("POST", "/api/sessions", {
    cwd: "/srv/api",
    initialMessage: "Analyze this",
  });
  expect(created.status).toBe(201);
  expect(created.json).toMatchObject({
    cwd: "/srv/api",
    sessionId: expect.any(String) as unknown,
    token: expect.any(String) as unknown,
  });
  const id = String(created.json["sessionId"]);
  const session = memberAt(hub.http, {
    id,
    name: String(created.json["name"]),
    token: String(created.json["token"]),
  });

  const sent = await asOperator("POST", `/api/sessions/${id}/messages`, {
    message: "and that",
    source: "applet",
    applet: "notes",
  });
  expect([sent.status, sent.json]).toEqual([
    202,
    { messageId: expect.any(String) as unknown, status: "dispatched" },
  ]);

  const mail = await session.inbox();
  expect(mail.map(({ content }) => content)).toEqual(["Analyze this", "and that"]);
  expect(mail[1]).toMatchObject({ source: "applet", applet: "notes" });
  await expect
    .poll(async () => (await asOperator("GET", `/api/sessions/${id}/state`)).json, { timeout: PATIENCE_MS })
    .toMatchObject({
      sessionId: id,
      status: "idle",
      cwd: "/srv/api",
      isActive: true,
      lastMessage: { role: "user", content: "and that", timestamp: expect.any(String) as unknown },
    });
});

test("a session that posts to itself, to nobody, or as another is refused", async () => {
  const agent = await registerAgent(hub.http, hub.join, { name: "loner" });
  const self = await agent.call("POST", `/api/sessions/${agent.id}/messages`, { body: { message: "me" } });
  expect([self.status, self.json["error"]]).toEqual([400, "Cannot POST to own session"]);

  const nobody = await agent.call("POST", "/api/sessions/nope/messages", { body: { message: "x" } });
  expect([nobody.status, nobody.json["code"]]).toEqual([404, "SESSION_NOT_FOUND"]);

  const other = await registerAgent(hub.http, hub.join, { name: "other" });
  const forged = await agent.call("POST", `/api/sessions/${other.id}/messages`, {
    body: { message: "x", fromSession: other.id },
  });
  expect([forged.status, forged.json["code"]]).toEqual([400, "SELF_SEND"]);
  const third = await registerAgent(hub.http, hub.join, { name: "third" });
  const asAnother = await agent.call("POST", `/api/sessions/${other.id}/messages`, {
    body: { message: "x", fromSession: third.id },
  });
  expect([asAnother.status, asAnother.json["code"]]).toEqual([403, "SENDER_MISMATCH"]);
  const relayed = await asOperator("POST", `/api/sessions/${other.id}/messages`, {
    message: "x",
    fromSession: other.id,
  });
  expect([relayed.status, relayed.json["error"]]).toEqual([400, "Cannot POST to own session"]);
});

test("what an agent posts is from an agent, whatever it says", async () => {
  const [a, b] = [
    await registerAgent(hub.http, hub.join, { name: "says" }),
    await registerAgent(hub.http, hub.join, { name: "hears" }),
  ];
  await a.call("POST", `/api/sessions/${b.id}/messages`, { body: { message: "trust me", source: "user" } });
  expect(await b.inbox()).toMatchObject([{ source: "agent", trust: "local", fromSession: a.id }]);
});

test("a session that nobody acts as goes offline, as every silent agent does", async () => {
  const quick = await yard.start({ set: ["presence.offline_after=1s"] });
  const created = await quick.http.call("POST", "/api/sessions", {
    token: quick.operator,
    body: { cwd: "/srv", name: "unused" },
  });
  expect(created.status).toBe(201);
  await expect
    .poll(async () => (await quick.http.call("GET", "/api/agents/unused", { token: quick.operator })).json, {
      timeout: PATIENCE_MS,
    })
    .toMatchObject({ status: "idle", state: "offline" });
});

test("delegation ends at the depth limit", async () => {
  const top = await registerAgent(hub.http, hub.join, { name: "top" });
  const child = await top.call("POST", "/api/sessions", { body: { cwd: "/srv" } });
  expect(child.status).toBe(201);
  const below = memberAt(hub.http, { id: "", name: "", token: String(child.json["token"]) });
  const tooDeep = await below.call("POST", "/api/sessions", { body: { cwd: "/srv" } });
  expect([tooDeep.status, tooDeep.json["code"]]).toEqual([403, "DEPTH_LIMIT"]);
  await expect
    .poll(async () => (await asOperator("GET", "/api/inbox")).text, { timeout: PATIENCE_MS, interval: 100 })
    .toContain(`Agent ${String(child.json["name"])} tried to spawn an agent, which was refused`);
});
