import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allRoutes } from "../../src/contract/http/routes.js";
import { openServerSentEvents, openWebSocket } from "../fakes/event-streams.js";
import { eventually, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* PROTOCOL 27: how a browser gets the desk's token, and what that token can do. */

const yard = createHubYard();
let hub: HubProcess;

beforeAll(async () => {
  hub = await startHostingHub(yard);
  await registerAgent(hub.http, hub.join, { name: "ann" });
});
afterAll(() => yard.clear());

async function newCode(of: HubProcess, token = of.operator): Promise<string> {
  const { status, json } = await of.http.call("POST", "/auth/code", { token });
  expect({ status, expires_in: json["expires_in"] }).toEqual({ status: 200, expires_in: 60 });
  return String(json["code"]);
}

const exchange = (of: HubProcess, code: string) => of.http.call("POST", "/auth/exchange", { body: { code } });

async function logIn(of: HubProcess): Promise<string> {
  return String((await exchange(of, await newCode(of))).json["token"]);
}

test("a code is traded for a token, once", async () => {
  const code = await newCode(hub);

  const first = await exchange(hub, code);
  const second = await exchange(hub, code);

  expect(first).toMatchObject({ status: 200, json: { expires_in: 30 * 24 * 3600 } });
  expect(first.json["token"]).toMatch(/^hud_desk_/);
  expect(second).toMatchObject({ status: 403, json: { code: "CODE_INVALID" } });
  expect(second.json["error"]).toContain("`huddle ui`");
});

test("of many who trade the same code at once, one gets a token", async () => {
  const code = await newCode(hub);

  const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(hub, code)));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test.each([
  ["the join token", () => Promise.resolve(hub.join)],
  ["an agent's token", async () => (await registerAgent(hub.http, hub.join, { name: "ben" })).token],
])("%s gets no code", async (_, token) => {
  const answer = await hub.http.call("POST", "/auth/code", { token: await token() });

  expect(answer).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
});

test("a code that is too old is refused", async () => {
  const quick = await yard.start({ set: ["desk.code_life=1s"] });
  const { json } = await quick.http.call("POST", "/auth/code", { token: quick.operator });
  await sleep(1100);

  expect(await exchange(quick, String(json["code"]))).toMatchObject({
    status: 403,
    json: { code: "CODE_INVALID" },
  });
});

describe("the desk's token", () => {
  test.each(allRoutes.filter(({ access, method }) => access === "operator" && method === "GET"))(
    "opens $method $path",
    async ({ path }) => {
      const token = await logIn(hub);

      const { status } = await hub.http.call("GET", path.replace(":name", "ann"), { token });

      expect(status).not.toBe(401);
      expect(status).not.toBe(403);
    },
  );

  test("sends as the person", async () => {
    const body = { message: "hello" };

    const { json } = await hub.http.call("POST", "/api/agents/ann/messages", {
      token: await logIn(hub),
      body,
    });

    const id = String(json["message_id"]);
    const { json: shown } = await hub.http.call("GET", `/api/messages/${id}`, { token: hub.operator });
    expect(shown["message"]).toMatchObject({ from: "user" });
  });

  test("opens a WebSocket by a ticket", async () => {
    const { json } = await hub.http.call("POST", "/auth/ticket", { token: await logIn(hub) });

    const stream = await openWebSocket(hub.url, { query: `?ticket=${String(json["ticket"])}` });

    await stream.until(({ type }) => type === "ready");
    stream.close();
  });

  test("answers a permission, and the journal says that it was the desk", async () => {
    const token = await logIn(hub);
    const project = tempFolder();
    await spawnAgent(hub, { name: "hal", project, message: "!permission" });
    const asked = await eventually(async () => {
      const { json } = await hub.http.call("GET", "/api/permissions", { token });
      return (json["permissions"] as { id: string }[])[0];
    }, "a permission request");

    const { status } = await hub.http.call("POST", `/api/permissions/${asked.id}`, {
      token,
      body: { decision: "once" },
    });

    expect(status).toBe(200);
    const stream = await openWebSocket(hub.url, { token: hub.operator, query: "?after=0" });
    const answered = await stream.until(({ type }) => type === "PermissionAnswered");
    expect(answered).toMatchObject({ data: { permission: asked.id, outcome: "once", via: "desk" } });
    stream.close();
  });

  test("survives a restart of the hub, and dies when the operator's token is another", async () => {
    const home = yard.home();
    const before = await yard.start({ home });
    const token = await logIn(before);
    await before.kill();

    const after = await yard.start({ home });
    expect((await after.http.call("GET", "/api/needs-you", { token })).status).toBe(200);

    await after.stop();
    rmSync(join(home, "token"));
    const last = await yard.start({ home });
    const answer = await last.http.call("GET", "/api/needs-you", { token });
    expect(answer).toMatchObject({ status: 401, json: { code: "UNAUTHENTICATED" } });
    expect(answer.json["error"]).toContain("`huddle ui`");
  });

  test("ends with its time, takes its open streams along, also those that a ticket opened, and cannot get itself another that lasts longer", async () => {
    // What comes before its end takes some time on a busy machine.
    const quick = await yard.start({ set: ["desk.token_life=10s"] });
    const token = await logIn(quick);
    const heir = await exchange(quick, await newCode(quick, token));
    expect(Number(heir.json["expires_in"])).toBeLessThanOrEqual(10);
    const { json } = await quick.http.call("POST", "/auth/ticket", { token });
    const byTicket = await openWebSocket(quick.url, { query: `?ticket=${String(json["ticket"])}` });
    const byToken = await openServerSentEvents(quick.url, { token });
    const operators = await openWebSocket(quick.url, { token: quick.operator });

    const dropped = await byTicket.until(({ type }) => type === "dropped");
    expect(dropped.reason).toBe("the desk's token has ended");
    await byToken.until(({ type }) => type === "dropped");
    expect((await byTicket.ended).code).toBe(4008);
    await byToken.ended;
    for (const ended of [token, String(heir.json["token"])])
      expect((await quick.http.call("GET", "/api/health", { token: ended })).status).toBe(401);

    // What the operator's own token opened goes on.
    await quick.http.call("POST", "/api/agents", { token: quick.operator, body: { name: "ann" } });
    await operators.until(({ type }) => type === "AgentRegistered");
    operators.close();
  });
});
