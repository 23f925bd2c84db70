import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type Answer, createCaller } from "../../../test/fakes/http-call.js";
import type { RouteContract } from "../../contract/http/route.js";
import type { Agent } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { Caller } from "../caller/auth.js";
import type { HubPorts } from "../ports.js";
import { ANSWERED, createBindRoute, type ExchangeCall, type Serve } from "./bind-route.js";
import { createRouteTable } from "./route-table.js";

const alice = { id: "alice-id", name: "alice" } as Agent;
const callers: Record<string, Caller> = {
  "Bearer operator": { kind: "operator" },
  "Bearer join": { kind: "join" },
  "Bearer alice": { kind: "agent", agent: alice },
};

const echo = {
  method: "POST",
  path: "/echo/:name",
  summary: "",
  access: "member",
  body: z.object({ text: z.string() }),
  query: z.object({ loud: z.string().optional() }),
  status: 201,
  response: z.unknown(),
} as const satisfies RouteContract;

type Handler = (call: ExchangeCall<typeof echo>) => unknown;

/** A server with one route. */
async function openRoute(
  handler: Handler,
  { route = echo, onError = {} }: { route?: RouteContract; onError?: Record<string, unknown> } = {},
) {
  const touched: string[] = [];
  const logged: string[] = [];
  const ports = {
    limits: { bodyBytes: 1000, jsonDepth: 5, jsonKeys: 20 },
    presence: { touch: ({ name }: Agent) => touched.push(name) },
    logError: (_: unknown, what: string) => logged.push(what),
    explain: (error: unknown) => error,
  } as unknown as HubPorts;
  const table = createRouteTable<Serve>();
  const { bind } = createBindRoute(table, ports, (authorization = "") => {
    const caller = callers[authorization];
    if (caller === undefined) throw new HubError("UNAUTHENTICATED", "who?");
    return caller;
  });
  bind(route, handler as (call: unknown) => never, onError);
  const server = createServer((incoming, outgoing) => {
    const [path = "", query = ""] = (incoming.url ?? "").split("?");
    const match = table.find(incoming.method, path);
    void match?.target({ incoming, outgoing, params: match.params, query });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const http = createCaller(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 1);
  onTestFinished(() => {
    http.close();
    server.close();
  });
  const ask = (token = "alice", options: { body?: unknown; headers?: Record<string, string> } = {}) =>
    http.call("POST", "/echo/bob?loud=yes", { token, body: { text: "hi" }, ...options });
  return { ask, touched, logged };
}

const codeOf = ({ status, json }: Answer) => `${status} ${String(json["code"])}`;

test("a call has its caller, its parameters, its query and its body, and is answered as JSON", async () => {
  const { ask, touched } = await openRoute(({ caller, param, query, body }) => ({
    kind: caller.kind,
    name: param("name"),
    none: param("other"),
    query,
    body,
  }));

  expect(await ask()).toMatchObject({
    status: 201,
    json: { kind: "agent", name: "bob", none: "", query: { loud: "yes" }, body: { text: "hi" } },
  });
  expect(touched).toEqual(["alice"]);
});

test("only an agent that is let in counts as seen", async () => {
  const { ask, touched } = await openRoute(() => ({}));

  await ask("operator");
  await ask("join");
  await ask("nobody");

  expect(touched).toEqual([]);
});

test("who is unknown, or may not, does not reach the handler", async () => {
  let calls = 0;
  const { ask, logged } = await openRoute(() => ++calls && {}, { onError: { delivered: false } });

  expect(await ask("nobody")).toMatchObject({ status: 401, json: { delivered: false } });
  expect(codeOf(await ask("join"))).toBe("403 FORBIDDEN");
  // Also with a body that is wrong: who may not call learns nothing about it.
  expect(codeOf(await ask("join", { body: { text: 1 } }))).toBe("403 FORBIDDEN");
  expect(calls).toBe(0);
  expect(logged).toEqual([]);
});

test.each(["text/plain", "application/jsonx", "x application/json", ""])(
  "a body of type %j is refused",
  async (type) => {
    const { ask } = await openRoute(() => ({}));
    expect(codeOf(await ask("alice", { headers: { "content-type": type } }))).toBe(
      "415 UNSUPPORTED_MEDIA_TYPE",
    );
  },
);

test.each(["application/json", "Application/JSON", "application/json; charset=utf-8", "application/json ;x"])(
  "a body of type %j is read",
  async (type) => {
    const { ask } = await openRoute(() => ({}));
    expect((await ask("alice", { headers: { "content-type": type } })).status).toBe(201);
  },
);

test("the refusal of a body says of which type it was", async () => {
  const { ask } = await openRoute(() => ({}));
  const answerTo = async (type: string) =>
    (await ask("alice", { headers: { "content-type": type } })).json["error"];

  expect(await answerTo("text/plain")).toContain('(this was "text/plain")');
  expect(await answerTo("")).toContain("(this was none)");
});

test("a body that the contract does not allow is refused", async () => {
  const { ask } = await openRoute(() => ({}));
  expect((await ask("alice", { body: { text: 1 } })).status).toBe(400);
  expect((await ask("alice", { body: { text: "x".repeat(1001) } })).status).toBe(413);
});

test("an unforeseen error is logged, and its reason is not told", async () => {
  const { ask, logged } = await openRoute(() => {
    throw new Error("secret");
  });
  const answer = await ask();

  expect(codeOf(answer)).toBe("500 INTERNAL");
  expect(answer.text).not.toContain("secret");
  expect(logged).toEqual(["POST /echo/bob?loud=yes"]);
});

test("a refusal by the handler is answered as such, and is not logged", async () => {
  const { ask, logged } = await openRoute(() => {
    throw new HubError("AGENT_NOT_FOUND", "No agent is named bob");
  });

  expect(codeOf(await ask())).toBe("404 AGENT_NOT_FOUND");
  expect(logged).toEqual([]);
});

test("nothing, a response and an answer of the handler's own go out as they are", async () => {
  const nothing = await openRoute(() => undefined, { route: { ...echo, status: 204 } });
  expect(await nothing.ask()).toMatchObject({ status: 204, text: "" });

  const something = await openRoute(() => ({ some: 1 }), { route: { ...echo, status: 204 } });
  expect(await something.ask()).toMatchObject({ status: 200, json: { some: 1 } });

  const response = await openRoute(() => new Response("teapot", { status: 418 }));
  expect(await response.ask()).toMatchObject({ status: 418, text: "teapot" });

  const own = await openRoute(({ outgoing }) => {
    outgoing.writeHead(202).end("own");
    return ANSWERED;
  });
  expect(await own.ask()).toMatchObject({ status: 202, text: "own" });
});

test("an answer that broke off halfway is cut, not completed", async () => {
  const { ask } = await openRoute(({ outgoing }) => {
    outgoing.writeHead(200, { "content-length": "100" }).write("half");
    throw new Error("broken");
  });
  await expect(ask()).rejects.toThrow();
});
