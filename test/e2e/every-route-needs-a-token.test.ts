import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RouteContract } from "../../src/contract/http/route.js";
import { allRoutes } from "../../src/contract/http/routes.js";
import type { HubPorts } from "../../src/surface/ports.js";
import { createHttpSurface } from "../../src/surface/server.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { journalSeq, type Member, registerAgent } from "../fakes/member.js";

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;
let left: Member;

beforeAll(async () => {
  hub = await yard.start({ set: ["presence.offline_after=24h"] });
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await registerAgent(hub.http, hub.join, { name: "ben" });
  left = await registerAgent(hub.http, hub.join, { name: "left" });
  await hub.http.call("DELETE", "/api/agents/left", { token: hub.operator });
});
afterAll(() => yard.clear());

const named = allRoutes.map((route) => ({ ...route, name: `${route.method} ${route.path}` }));

/** The desk logs in by this one: a code stands for the token that it has not got yet. */
const open = named.filter(({ access }) => access === "open");
const closed = named.filter(({ access }) => access !== "open");

test("the contract lists every route that the router serves, and the desk's files are the only others", () => {
  const limits = { bodyBytes: 1, jsonDepth: 1, jsonKeys: 1, streams: { total: 1, each: 1 }, ticketLifeMs: 1 };
  const { routes } = createHttpSurface({
    ports: { limits } as HubPorts, // Only bound here, never called.
    secrets: { operator: "o", join: "j" },
    deskFolder: "/nowhere",
    requestTimeoutMs: 1000,
    connections: 1,
  });

  const others = ["GET /", "GET /assets/:file"];
  expect([...routes].sort()).toEqual([...others, ...named.map(({ name }) => name)].sort());
});

test("one route of the contract is open", () => {
  expect(open.map(({ name }) => name)).toEqual(["POST /auth/exchange"]);
});

describe.each(closed)("$name", (route) => {
  test("without a token that counts, in the header that counts, answers 401 and stores nothing", async () => {
    const before = await journalSeq(hub.http, hub.operator);
    const tries: Record<string, ReturnType<typeof callRoute>> = {
      "no token": callRoute(route, undefined),
      "an unknown token": callRoute(route, `hud_agent_${"A".repeat(43)}`),
      "the operator's token with one letter changed": callRoute(route, changeLastLetter(hub.operator)),
      "the token of an agent that left": callRoute(route, left.token),
      "a hash instead of a token": callRoute(route, "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"),
      "the token in the query": callRoute(route, undefined, {
        query: `?token=${ann.token}&access_token=${ann.token}`,
      }),
      "the token in a cookie": callRoute(route, undefined, { headers: { cookie: `token=${ann.token}` } }),
    };

    for (const [what, answering] of Object.entries(tries)) {
      const answer = await answering;
      expect(answer, what).toMatchObject({ status: 401, json: { code: "UNAUTHENTICATED" } });
      expect(answer.headers["www-authenticate"], what).toBe("Bearer");
    }
    expect(await journalSeq(hub.http, hub.operator)).toBe(before);
  });

  test("with the join token is open only if that is what the join token is for", async () => {
    const before = await journalSeq(hub.http, hub.operator);

    const { status, json } = await callRoute(route, hub.join);

    if (route.path === "/mcp") {
      // Open to it, and this was no message of the protocol.
      expect(status).toBe(415);
    } else if (route.access === "join" || route.access === "any") {
      expect(status).toBeLessThan(400);
    } else {
      expect({ status, code: json["code"] }).toEqual({ status: 403, code: "FORBIDDEN" });
      expect(await journalSeq(hub.http, hub.operator)).toBe(before);
    }
  });
});

test.each(closed.filter(({ access }) => access === "operator" || access === "join"))(
  "an agent's token on $name answers 403",
  async (route) => {
    expect(await callRoute(route, ann.token)).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
  },
);

test("a route that does not exist answers 401 without a token, so that nobody can map the hub", async () => {
  const without = await hub.http.call("GET", "/api/nothing");
  const with_ = await hub.http.call("GET", "/api/nothing", { token: ann.token });

  expect([without.status, with_.status]).toEqual([401, 404]);
  expect(with_.json).toMatchObject({ code: "ROUTE_NOT_FOUND" });
});

test("the desk's page is open and says nothing about the hub", async () => {
  const { status, text, headers } = await hub.http.call("GET", "/");

  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  for (const secret of [hub.operator, hub.join, ann.token, "ann", hub.home])
    expect(text).not.toContain(secret);
});

test.each([
  ["a wrong code", { code: "A".repeat(43) }, 403, "CODE_INVALID"],
  ["no code", {}, 400, "INVALID_INPUT"],
  ["a whole kilobyte too much", { code: "A".repeat(5000) }, 413, "BODY_TOO_LARGE"],
])("the exchange of %s is refused and stores nothing", async (_, body, status, code) => {
  const before = await journalSeq(hub.http, hub.operator);

  const answer = await hub.http.call("POST", "/auth/exchange", { body });

  expect(answer).toMatchObject({ status, json: { code } });
  expect(await journalSeq(hub.http, hub.operator)).toBe(before);
});

test.each([
  ["makes an orchestrator with the join token", () => hub.join],
  ["makes an orchestrator with an agent's token", () => ann.token],
])("nobody but the operator %s", async (_, token) => {
  const body = { name: "boss", role: "orchestrator" };

  expect((await hub.http.call("POST", "/api/agents", { token: token(), body })).status).toBe(403);
  expect((await hub.http.call("POST", "/api/agents", { token: hub.operator, body })).status).toBe(201);
});

test.each([
  ["PUT", "/api/agents/ben", { model: "m" }],
  ["DELETE", "/api/agents/ben", undefined],
  ["POST", "/api/agents/ben/heartbeat", undefined],
])("an agent cannot %s %s of another", async (method, path, body) => {
  const answer = await ann.call(method, path, { body });

  expect(answer).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
});

function callRoute(
  route: RouteContract,
  token: string | undefined,
  { query = "", headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) {
  const path = route.path.replace(":name", "ben").replace(":id", "some-id");
  return hub.http.call(route.method, `${path}${query}`, {
    token,
    headers,
    ...(route.body === undefined ? {} : { body: bodies[`${route.method} ${route.path}`] ?? {} }),
  });
}

/** Bodies that would be accepted with the right token. */
const bodies: Record<string, unknown> = {
  "POST /api/agents": { name: "new" },
  "PUT /api/agents/:name": { model: "m" },
  "POST /api/agents/:name/messages": { message: "hello" },
  "POST /api/inbox/ack": { ids: ["some-id"] },
};

function changeLastLetter(token: string): string {
  return `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
}
