import { z } from "zod";
import { mcpRoutes } from "../../src/contract/http/mcp.js";
import { messageRoutes } from "../../src/contract/http/messages.js";
import type { RouteContract } from "../../src/contract/http/route.js";
import { allRoutes } from "../../src/contract/http/routes.js";
import { typedFields } from "../../src/contract/typed-fields.js";
import { hubErrorCodes } from "../../src/model/errors.js";
import { openServerSentEvents } from "../fakes/event-streams.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import type { Random } from "../fakes/random.js";
import { sendRaw } from "../fakes/raw-socket.js";
import { goodRpc, rpcHeaders, storedByRpc } from "./fuzz-rpc.js";
import { mutateBytes, mutateText, mutateValue, oddJson } from "./mutate.js";

/*
 * Promise 14: parsers never crash. Every route gets requests that are almost right, in its path, query, headers and
 * body, over a proper client and over bare sockets. No answer is a 5xx, every refusal has a sentence and a known code,
 * nothing is stored that was not answered as accepted, and the hub goes on.
 */

export type FuzzResult = {
  inputs: number;
  seed: number;
  byStatus: Record<number, number>;
  accepted: number;
  growthMb: number;
  violations: string[];
};

type Input = { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined };

const AT_ONCE = 48;
/** Of these many, one goes over a bare socket, where framing itself can be wrong. */
const RAW_EVERY = 8;

export type FuzzOptions = { inputs: number; random: Random; onInputs?: (sent: number) => void };

export async function runFuzz({ inputs, random, onInputs }: FuzzOptions): Promise<FuzzResult> {
  const yard = createHubYard();
  const hub = await yard.start({
    set: ["inbox.wait_max=1s", "http.request_timeout=5s", "inbox.cap=1000000", "presence.offline_after=24h"],
  });
  const result: FuzzResult = {
    inputs,
    seed: random.seed,
    byStatus: {},
    accepted: 0,
    growthMb: 0,
    violations: [],
  };
  const accepted = new Set<string>();
  try {
    const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
    await registerAgent(hub.http, hub.join, { name: "ben" });
    let before = 0;
    let sent = 0;
    async function work() {
      while (sent < inputs && result.violations.length < 20) {
        const n = sent++;
        onInputs?.(sent);
        if (n === Math.floor(inputs / 5)) before = await memoryOf(hub);
        const input = makeInput(random, { ann, operator: hub.operator, join: hub.join, n });
        const isRaw = n % RAW_EVERY === 0;
        const { status, json, text } = await (isRaw ? sendBare(hub, input, random) : send(hub, input));
        result.byStatus[status] = (result.byStatus[status] ?? 0) + 1;
        for (const field of ["message_id", "messageId", "request_id"]) {
          if (status < 300 && typeof json[field] === "string") accepted.add(json[field]);
        }
        for (const id of storedByRpc(json)) accepted.add(id);
        const problem = judge({ status, json, isRaw, method: input.method });
        if (problem !== undefined)
          result.violations.push(`${problem}: ${show(input)} → ${status} ${text.slice(0, 300)}`);
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    result.growthMb = ((await memoryOf(hub)) - before) / 1e6;
    result.accepted = accepted.size;
    result.violations.push(...(await checkJournal(hub, { accepted, unheard: result.byStatus[0] ?? 0 })));
    const end = await hub.stop();
    if (end.code !== 0) result.violations.push(`the hub ended with ${end.code}: ${end.stderr}`);
    return result;
  } finally {
    await yard.clear();
  }
}

const knownCodes = new Set<string>(hubErrorCodes);

type Judged = { status: number; json: Record<string, unknown>; isRaw: boolean; method: string };

function judge({ status, json, isRaw, method }: Judged): string | undefined {
  // A bare socket may have sent half a request, or an upgrade or tunnel that is hung up on.
  if (status === 0) return isRaw ? undefined : "no answer";
  if (status >= 500) return "a 5xx";
  // The answer to a HEAD has no body, and that of a bare socket may be to a HEAD that another method was turned into.
  if (status < 400 || method === "HEAD" || isRaw) return undefined;
  const { jsonrpc, error } = json;
  // Of the tools' protocol an error is an object, with a number of its own.
  if (jsonrpc === "2.0")
    return typeof error === "object" && error !== null && "code" in error ? undefined : "no error";
  return typeof json["error"] === "string" && knownCodes.has(String(json["code"])) ? undefined : "no code";
}

type Tokens = { ann: Member; operator: string; join: string; n: number };

function makeInput(random: Random, { ann, operator, join, n }: Tokens): Input {
  const route: RouteContract = random.chance(0.5)
    ? random.pick([messageRoutes.send, mcpRoutes.call])
    : random.pick(allRoutes);
  // What removes or renames hits agents that nobody needs.
  const isDangerous = route.method === "DELETE" || route.method === "PUT";
  const name = isDangerous ? `victim-${n}` : random.pick(["ann", "ben", "user", `nobody-${n}`]);
  let path = route.path.replace(":name", name).replace(":id", `id-${random.int(50)}`);
  const query = makeQuery(route, random);
  if (random.chance(0.2)) path = encodeURI(mutateText(path, random).toWellFormed()).replace(/[\r\n\0]/g, "");
  // A backup is written wherever the operator says, and these inputs say anything.
  const tokens = route.path === "/api/backup" ? [ann.token, join] : [ann.token, ann.token, operator, join];
  const headers: Record<string, string> = { authorization: `Bearer ${random.pick(tokens)}` };
  if (random.chance(0.05))
    headers["authorization"] = latin1(mutateText(headers["authorization"] ?? "", random));
  const rpc = route.path === "/mcp" ? goodRpc(random, n) : undefined;
  Object.assign(headers, rpc && rpcHeaders(rpc));
  const body = makeBody(route, random, rpc ?? n);
  if (body !== undefined) headers["content-type"] = "application/json";
  if (random.chance(0.05)) headers["content-type"] = latin1(mutateText("application/json", random));
  for (const [header, value] of Object.entries(oddHeaders)) if (random.chance(0.02)) headers[header] = value;
  const method = random.chance(0.05)
    ? random.pick(["HEAD", "PATCH", "OPTIONS", "TRACE", "PUT", "DELETE"])
    : route.method;
  const isRemoval = method === "DELETE" || method === "PUT";
  return { method: isRemoval && !isDangerous ? "PATCH" : method, path: path + query, headers, body };
}

const oddHeaders: Record<string, string> = {
  accept: "text/html",
  "accept-encoding": "br, gzip, zstd, \u00ff",
  "content-encoding": "gzip",
  "if-none-match": "*",
  range: "bytes=0-10, -5",
  "x-forwarded-host": "evil.com",
  "x-http-method-override": "DELETE",
  "last-event-id": "NaN",
  cookie: "a=b; ".repeat(100),
  te: "trailers, deflate",
};

/** A good body for the route, by its schema, and then mostly spoilt. */
function makeBody(route: RouteContract, random: Random, seed: number | object): Buffer | undefined {
  if (route.body === undefined && typeof seed === "number")
    return random.chance(0.1) ? random.bytes(random.int(200)) : undefined;
  const good = typeof seed === "number" ? goodValue(route.body, random, seed) : seed;
  const kind = random.int(10);
  if (kind < 2) return Buffer.from(JSON.stringify(good));
  if (kind < 6) return Buffer.from(JSON.stringify(mutateValue(good, random)));
  if (kind < 9) return mutateBytes(Buffer.from(JSON.stringify(good)), random);
  return Buffer.from(oddJson(random));
}

function goodValue(schema: unknown, random: Random, n: number): unknown {
  if (schema instanceof z.ZodOptional) return goodValue(schema.unwrap(), random, n);
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).filter(
      ([key, field]) => !(field instanceof z.ZodOptional) || random.chance(shareOf(key)),
    );
    return Object.fromEntries(
      fields.map(([key, field]) => [key, key === "sender" ? "ann" : goodValue(field, random, n)]),
    );
  }
  if (schema instanceof z.ZodURL) return "http://127.0.0.1:9/back";
  if (schema instanceof z.ZodEnum) return random.pick(schema.options);
  if (schema instanceof z.ZodNumber) return 1 + random.int(100);
  if (schema instanceof z.ZodBoolean) return random.chance(0.5);
  if (schema instanceof z.ZodArray)
    return Array.from({ length: random.int(5) }, () => `id-${random.int(50)}`);
  if (schema instanceof z.ZodRecord) return { a: 1, b: [random.int(9)] };
  return `id-${random.chance(0.5) ? random.int(50) : n}`;
}

/** How often what may be left out is there. What belongs to one type of message spoils those of all others. */
function shareOf(key: string): number {
  if (key === "message") return 0.9;
  return key in typedFields ? 0.02 : 0.3;
}

function makeQuery(route: RouteContract, random: Random): string {
  const known = Object.keys(route.query?.shape ?? {});
  if (known.length === 0 && random.chance(0.9)) return "";
  const pairs = Array.from({ length: random.int(3) }, () => {
    const key =
      known.length > 0 && random.chance(0.8) ? random.pick(known) : random.pick(["__proto__", "x", ""]);
    const value = random.pick([
      "0",
      "1",
      "-1",
      "NaN",
      "1e3",
      "ann",
      "",
      "2026-01-01T00:00:00Z",
      "0x1",
      "9".repeat(30),
      "%zz",
      "%00",
    ]);
    return `${key}=${random.chance(0.2) ? encodeURIComponent(mutateText(value, random).toWellFormed()) : value}`;
  });
  return `?${pairs.join("&")}`;
}

/** Waits of up to a second aside, every answer comes at once; a stream is not waited for to end. */
function send(hub: HubProcess, { method, path, headers, body }: Input) {
  return hub.http.call(method, path.startsWith("/") ? path : `/${path}`, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** The same request as bytes, some of which are changed. */
function sendBare(hub: HubProcess, { method, path, headers, body }: Input, random: Random) {
  const length = body === undefined ? {} : { "content-length": String(body.length) };
  const lines = Object.entries({ host: `localhost:${hub.port}`, ...headers, ...length, connection: "close" });
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  const bytes = Buffer.concat([Buffer.from(head, "latin1"), body ?? Buffer.alloc(0)]);
  const isSpoilt = random.chance(0.8);
  // A DELETE that a flipped bit aims at somebody else would spoil the rest of the run.
  const spoilt = isSpoilt && method !== "DELETE" && method !== "PUT" ? mutateBytes(bytes, random) : bytes;
  return sendRaw(hub.port, [spoilt], { halfClose: true, timeoutMs: 3000 });
}

type StoredMessage = {
  id: string;
  type: string;
  from: string;
  requestId?: string;
  metadata?: Record<string, unknown>;
};

type Answers = { accepted: ReadonlySet<string>; unheard: number };

/** This hub waits not long for a request, for the sake of half ones; on a busy machine a whole one may take longer to send. */
async function openJournal(hub: HubProcess, tries = 5): ReturnType<typeof openServerSentEvents> {
  try {
    return await openServerSentEvents(hub.url, { token: hub.operator, query: "?after=0" });
  } catch (error) {
    if (tries === 1 || !String(error).includes("REQUEST_TIMEOUT")) throw error;
    return openJournal(hub, tries - 1);
  }
}

/**
 * The journal holds exactly the messages that were answered as accepted. A bare socket that closed its side may have
 * been too early to hear its answer.
 */
async function checkJournal(hub: HubProcess, { accepted, unheard }: Answers): Promise<string[]> {
  const newest = await seqOf(hub);
  const stream = await openJournal(hub);
  const { json } = await hub.http.call("POST", "/api/agents/ben/messages", {
    token: hub.operator,
    body: { message: "the last one" },
  });
  await stream.until(({ seq }) => seq > newest && seq === json["seq"], 120_000);
  stream.close();
  const stored = stream
    .events()
    .filter(({ type }) => type === "MessageAccepted")
    .map(({ data }) => data?.["message"] as StoredMessage)
    .filter(({ id }) => id !== json["message_id"]);
  const inJournal = new Set(stored.map(({ id }) => id));
  const invented = stored
    .filter(({ id }) => !accepted.has(id))
    // What the hub writes about a request itself has the request's id, with a suffix.
    .filter(({ id }) => !accepted.has(id.split(".")[0] ?? ""))
    // That an agent is to end is told to it in a message, of which nobody is given the id.
    .filter(({ type }) => type !== "shutdown")
    // It tells a sender that a message ended unread: expired, or in a conversation that the person froze.
    .filter(({ metadata }) => !inJournal.has(String(metadata?.["bounce"])))
    // A run that takes long sees requests expire, and those who asked are told.
    .filter(({ from, requestId }) => from !== "hub" || !accepted.has(requestId ?? ""))
    .map(({ id }) => id);
  const lost = [...accepted].filter((id) => !inJournal.has(id));
  return [
    ...invented.slice(unheard).map((id) => `${id} is stored and was never answered as accepted`),
    ...lost.slice(0, 5).map((id) => `${id} was accepted and is not stored`),
  ];
}

async function seqOf(hub: HubProcess): Promise<number> {
  const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
  return (json["journal"] as { seq: number }).seq;
}

async function memoryOf(hub: HubProcess): Promise<number> {
  const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
  return Number(json["memory_bytes"]);
}

function latin1(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "");
}

function show({ method, path, headers, body }: Input): string {
  return `${method} ${path.slice(0, 200)} ${JSON.stringify(headers).slice(0, 200)} ${body?.toString("latin1").slice(0, 300)}`;
}
