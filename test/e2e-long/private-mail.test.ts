import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { shownTypes } from "../../src/contract/events/events.js";
import type { RouteContract } from "../../src/contract/http/route.js";
import { allRoutes } from "../../src/contract/http/routes.js";
import { toolsetNames } from "../../src/model/toolset.js";
import { toolsets } from "../../src/surface/mcp/toolsets.js";
import { openAgentSocket } from "../fakes/agent-socket.js";
import { openServerSentEvents, openWebSocket } from "../fakes/event-streams.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { connectMcp } from "../fakes/mcp-client.js";
import { journalSeq } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";
import { openTestHub } from "../fakes/test-hub.js";
import { type Known, routePlaces, toolPlaces } from "../guard/places-to-look.js";
import { plantingLimits, plantSecrets } from "../guard/plant-secrets.js";

/*
 * Mail is for its two ends. A stranger looks at everything that the hub answers, as the contract lists it, for words that
 * were planted in the mail, the turns and the permissions of others. Each path is asked, each query and body, a share of their
 * combinations, and what a tool can be asked in one of its sets; HUDDLE_PLACES=1, in the soak, has all of them.
 */

/** One of so many combinations. */
const ONE_OF = Number(process.env["HUDDLE_PLACES"] ?? 10);

const yard = createHubYard();
afterAll(() => yard.clear());

let hub: HubProcess;
let planted: Awaited<ReturnType<typeof plantSecrets>>;

/** Told once, within the first test: its journal is closed when that test ends. */
let told: Promise<void> | undefined;
beforeEach(() => (told ??= tell()));

async function tell(): Promise<void> {
  const home = yard.home();
  const story = openTestHub({ limits: plantingLimits });
  planted = await plantSecrets(story);
  await story.backUp(join(home, "huddle.db"));
  hub = await yard.start({ home, set: ["presence.offline_after=24h", "events.ping_every=100ms"] });
  await indexed();
}

/** Places that were looked at, and the words that were found, by place. */
type Walk = { places: number; found: Map<string, Set<string>>; look(place: string, answer: unknown): void };

function beginWalk(): Walk {
  const found = new Map<string, Set<string>>();
  const walk: Walk = {
    places: 0,
    found,
    look(place, answer) {
      walk.places++;
      const text = typeof answer === "string" ? answer : JSON.stringify(answer);
      for (const [word] of text.matchAll(/SECRET-[a-z0-9-]+/g)) {
        found.set(place, (found.get(place) ?? new Set()).add(word));
      }
    },
  };
  return walk;
}

const nameOf = ({ method, path }: RouteContract) => `${method} ${path}`;

/** All paths of a route, with its parameters filled in. */
function pathsOf(route: RouteContract, known: Known): string[] {
  if (route.path.includes(":name")) {
    return [...known.names, ...known.agentIds].map((name) => route.path.replace(":name", name));
  }
  return route.path.includes(":id")
    ? [...known.ids, ...known.agentIds, "none"].map((id) => route.path.replace(":id", id))
    : [route.path];
}

async function walkRoutes(walk: Walk, token: string, routes: readonly RouteContract[]): Promise<void> {
  for (const route of routes) {
    const known = knownFor(route.method === "GET");
    const row = routePlaces[nameOf(route)];
    const { queries = [""], bodies } = (typeof row === "function" ? row(known) : row) ?? {};
    const wrong = route.body === undefined ? [] : ["{", "[]", { nope: 1 }, {}];
    const right = route.body === undefined && bodies === undefined ? [undefined] : (bodies?.(known) ?? []);
    const paths = pathsOf(route, known);
    for (const path of paths) {
      // What is no question at all is refused before anything is looked up: of something that is there, and of what is not.
      const isEnd = path === paths[0] || path === paths.at(-1);
      const sent = isEnd ? [...right, ...wrong] : right;
      const asked = [
        ...queries.flatMap((query) => sent.map((body) => ({ query, body }))),
        ...(isEnd ? [{ query: "?nope=1", body: sent[0] }] : []),
      ];
      for (const [n, { query, body }] of asked.entries()) {
        const isNew = path === paths[0] || n === 0 || n === asked.length - 1;
        if (!isNew && (n + paths.indexOf(path)) % ONE_OF !== 0) continue;
        const options = { token, body, ...(route.path === "/mcp" ? { headers: mcpHeaders } : {}) };
        const { text, headers } = await hub.http.call(route.method, `${path}${query}`, options);
        const place = `${nameOf(route)} (${path}${query} ${JSON.stringify(body) ?? ""})`;
        walk.look(place, `${JSON.stringify(headers)} ${text}`);
      }
    }
  }
}

const mcpHeaders = { accept: "application/json, text/event-stream" };

/** First what only looks, in all sets: what the others do changes what is shown. */
async function walkTools(walk: Walk, token: string, kind: "reading" | "writing"): Promise<void> {
  const asked = new Set<string>();
  for (const set of toolsetNames) {
    const { client, call } = await connectMcp(hub, token, { set });
    const known = knownFor(kind === "reading");
    const tools = toolsets[set].filter((tool) => tool.annotations.readOnlyHint === (kind === "reading"));
    for (const { name } of tools) {
      const all = toolPlaces[name]?.(known) ?? [];
      // It is the same tool in another set.
      const places = ONE_OF > 1 && asked.has(name) ? all.slice(0, 1) : all;
      asked.add(name);
      for (const args of [...places, { nope: 1 }]) {
        walk.look(`${set}: ${name} ${JSON.stringify(args)}`, await call(name, args).catch(errorText));
      }
    }
    walk.look(`${set}: instructions`, client.getInstructions() ?? "");
    walk.look(`${set}: tools`, await client.listTools());
    const { resources } = await client.listResources();
    for (const { uri } of [...resources, { uri: "huddle://none" }]) {
      walk.look(`${set}: ${uri}`, await client.readResource({ uri }).catch(errorText));
    }
    const { prompts } = await client.listPrompts();
    for (const { name, arguments: wanted = [] } of [...prompts, { name: "none" }]) {
      const args = Object.fromEntries(wanted.map((argument) => [argument.name, "ann"]));
      walk.look(`${set}: prompt ${name}`, await client.getPrompt({ name, arguments: args }).catch(errorText));
    }
  }
}

/** What an error carries beside its sentence counts as well. */
function errorText(error: unknown): string {
  return error instanceof Error ? `${error.message} ${JSON.stringify(error)}` : String(error);
}

async function walkStreams(walk: Walk, token: string): Promise<Set<string>> {
  const last = await journalSeq(hub.http, hub.operator);
  const types = new Set<string>();
  for (const [how, open] of [
    ["WebSocket", openWebSocket],
    ["SSE", openServerSentEvents],
  ] as const) {
    const stream = await open(hub.url, { token, query: "?after=0" });
    onTestFinished(() => stream.close());
    // A ping says how far the reader has come, with what it may not see.
    await stream.until(({ type, seq }) => type === "ping" && seq >= last);
    for (const frame of stream.frames) {
      types.add(frame.type);
      walk.look(`${how}: ${frame.type}`, frame);
    }
  }
  return types;
}

/** On an agent's socket: all of the events, its mail, and whatever can be asked for by an id or a name. */
async function walkSocket(walk: Walk, token: string): Promise<void> {
  const socket = await openAgentSocket(hub.url, { token });
  onTestFinished(() => socket.cut());
  const { names, ids } = knownFor(true);
  await socket.ask("mail", { window: 1000 });
  const last = await journalSeq(hub.http, hub.operator);
  for (let after = 0; after < last; ) {
    const { answer = {} } = await socket.ask("events", { after, limit: 500 });
    after = Number(answer["after"] ?? last);
  }
  const asked = [
    ...ids.flatMap((id) => [
      ["message_status", { message_id: id }],
      ["get_request", { request_id: id }],
      ["get_task", { task_id: id }],
      ["ack", { ids: [id] }],
    ]),
    ...names.flatMap((name) => [
      ["get_agent", { name }],
      ["wait", { from: name }],
    ]),
    ["list_agents", {}],
    ["list_requests", {}],
    ["list_tasks", {}],
    ["list_claims", {}],
  ] as [string, Record<string, unknown>][];
  await Promise.all(asked.map(([op, fields]) => socket.ask(op, fields)));
  for (const frame of socket.frames) walk.look(`socket: ${JSON.stringify(Object.keys(frame))}`, frame);
}

/** Agents that the hub runs are only looked at: mail would begin a turn, and change what they said last. */
function knownFor(reading: boolean): Known {
  const { names, hostedNames, agentIds, hostedIds, ids } = planted;
  return reading
    ? { names: [...names, ...hostedNames], agentIds: [...agentIds, ...hostedIds], ids }
    : { names, agentIds, ids };
}

/** What is only read follows the journal: the newest mail is found before the walk begins. */
function indexed(): Promise<void> {
  return patiently(async () => {
    const { text } = await hub.http.call("GET", "/api/search?q=zebra&limit=200", { token: hub.operator });
    expect(text).toContain("SECRET-held");
  });
}

const reading = allRoutes.filter(({ method }) => method === "GET");
const writing = allRoutes.filter(({ method }) => method !== "GET");
const whatWasFound = ({ found }: Walk) =>
  Object.fromEntries([...found].map(([place, words]) => [place, [...words]]));

test("every route and every tool of the contract is looked at", () => {
  expect(Object.keys(routePlaces).sort()).toEqual(allRoutes.map(nameOf).sort());
  const tools = Object.values(toolsets).flatMap((set) => set.map(({ name }) => name));
  expect(Object.keys(toolPlaces).sort()).toEqual([...new Set(tools)].sort());
});

test("the person sees every word that was planted, in an event of every type", async () => {
  const walk = beginWalk();

  const types = await walkStreams(walk, hub.operator);
  await walkRoutes(walk, hub.operator, reading);

  const seen = new Set([...walk.found.values()].flatMap((words) => [...words]));
  expect(planted.secrets.filter((word) => !seen.has(word))).toEqual([]);
  expect(shownTypes.filter((type) => !types.has(type))).toEqual([]);
});

test("what was said last is shown to its two ends and to whoever spawned the agent", async () => {
  const { ann, boss } = planted.tokens;
  const lastOf = async (name: string, token: string) => {
    const { json: agent } = await hub.http.call("GET", `/api/agents/${name}`, { token });
    const { json } = await hub.http.call("GET", `/api/sessions/${String(agent["id"])}/state`, { token });
    return json["lastMessage"];
  };

  expect(await lastOf("ben", ann)).toMatchObject({ role: "user", content: "SECRET-last-message" });
  expect(await lastOf("hal", ann)).toMatchObject({
    role: "assistant",
    content: "zebra SECRET-newest-turn-text",
  });
  expect([await lastOf("ben", boss), await lastOf("hal", boss)]).toEqual([null, null]);
});

let places = 0;

/** First what only looks; what it did may have changed what it is shown. */
test.each<[string, (walk: Walk, eve: string) => Promise<unknown>]>([
  ["event", walkStreams],
  ["frame of its socket", walkSocket],
  ["route that only reads", (walk, eve) => walkRoutes(walk, eve, reading)],
  ["tool that only reads, resource or prompt", (walk, eve) => walkTools(walk, eve, "reading")],
  ["other tool", (walk, eve) => walkTools(walk, eve, "writing")],
  ["other route", (walk, eve) => walkRoutes(walk, eve, writing)],
  ["route that only reads, after all that", (walk, eve) => walkRoutes(walk, eve, reading)],
  ["event, after all that", walkStreams],
])("a stranger finds no word of others' mail in any %s, nor in an error", async (_, look) => {
  const walk = beginWalk();

  await look(walk, planted.tokens.eve);

  expect(whatWasFound(walk)).toEqual({});
  places += walk.places;
});

test("those were many places", () => {
  console.log(`A stranger looked at ${places} places and found nothing.`);
  expect(places).toBeGreaterThan(2000);
});

test("the join token finds none either", async () => {
  const walk = beginWalk();

  // The others answer it with 403, whatever is asked (every-route-needs-a-token).
  await walkRoutes(
    walk,
    hub.join,
    allRoutes.filter(({ access }) => access !== "operator" && access !== "member"),
  );

  expect(whatWasFound(walk)).toEqual({});
  console.log(`The join token looked at ${walk.places} places and found nothing.`);
});

test("an orchestrator sees the life of hosted agents, and nobody's mail", async () => {
  const walk = beginWalk();

  await walkStreams(walk, planted.tokens.boss);
  await walkRoutes(walk, planted.tokens.boss, reading);

  const seen = new Set([...walk.found.values()].flatMap((words) => [...words]));
  expect([...seen].sort()).toEqual([...planted.lifecycle].sort());
});
