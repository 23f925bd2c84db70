import { setTimeout as sleep } from "node:timers/promises";
import { type Member, registerAgent } from "../fakes/member.js";
import { buildRequest, type HttpConnection, openConnection } from "./http-connection.js";
import type { BenchHub, Lab } from "./lab.js";
import type { Measurement } from "./row.js";
import { median, type Pair, summarize } from "./statistics.js";
import { within } from "./within.js";

const CLIENTS = 50;
const CALLS = 1000;
const PACE_MS = 5;
const TURN = 100;

/** Tools over HTTP: against a plain route that does the same, with many clients at once, and how fast a wait wakes. */
export const mcp: Measurement = {
  name: "mcp",
  async run(lab) {
    const hub = await lab.hub({ set: ["inbox.cap=1000000"] });
    const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
    const bob = await registerAgent(hub.http, hub.join, { name: "bob" });
    const line = openConnection(hub.port);
    lab.onClose(line.close);
    const { port } = hub;
    const plain = buildRequest({ port, method: "GET", path: "/api/agents", token: ann.token });
    const legacy = call(port, ann, "list_agents", {});
    const modern = modernCall(port, ann, "list_agents");
    for (let i = 0; i < 20; i++) for (const request of [plain, legacy, modern]) await askFor(line, request);
    const ofLegacy: Pair[] = [];
    const ofModern: Pair[] = [];
    // In short turns: whatever else the machine does hits all of them alike.
    for (let round = 0; round < (lab.quick ? 30 : 150); round++) {
      const anchor = await askFor(line, plain);
      ofLegacy.push({ anchor, ours: await askFor(line, legacy) });
      ofModern.push({ anchor, ours: await askFor(line, modern) });
    }
    const against = "GET /api/agents";
    return [
      {
        what: "tools/call over HTTP, one connection",
        against,
        unit: "/s",
        ...summarize(ofLegacy),
        limit: { on: "ratio", is: "at least", bound: 0.5 },
      },
      { what: "The same, protocol of 2026", against, unit: "/s", ...summarize(ofModern) },
      {
        what: `${CLIENTS} clients × ${lab.quick ? CALLS / 10 : CALLS} tool calls with equal ids, none crossed`,
        against: "one client",
        unit: "/s",
        ...summarize([{ anchor: median(ofLegacy.map(({ ours }) => ours)), ours: await crowd(lab, hub) }]),
      },
      {
        what: "send_message until wait_for_message has it, over HTTP, p50",
        against: "send and long-poll over plain routes",
        unit: "ms",
        ...summarize(await wakes(lab, hub, ann, bob)),
      },
    ];
  },
};

const headers = { accept: "application/json, text/event-stream" };

function call(port: number, { token }: Member, name: string, args: object, id: number | string = 1): Buffer {
  const body = { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
  return buildRequest({ port, method: "POST", path: "/mcp", token, body, headers });
}

function modernCall(port: number, { token }: Member, name: string): Buffer {
  const version = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {}, _meta } };
  const more = { "mcp-protocol-version": version, "mcp-method": "tools/call", "mcp-name": name };
  return buildRequest({ port, method: "POST", path: "/mcp", token, body, headers: { ...headers, ...more } });
}

/** Answers per second, one after the other. */
async function askFor(line: HttpConnection, request: Buffer): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < TURN; i++) {
    const { status, body } = await within(5000, "an answer", line.ask(request));
    if (status !== 200 || body.includes('"error"')) throw new Error(`refused: ${status} ${body}`);
  }
  return (TURN * 1000) / (performance.now() - start);
}

/** Everybody uses the same ids, and asks who they are. */
async function crowd(lab: Lab, hub: BenchHub): Promise<number> {
  const members = await Promise.all(
    Array.from({ length: CLIENTS }, (_, i) => registerAgent(hub.http, hub.join, { name: `client-${i}` })),
  );
  const calls = lab.quick ? CALLS / 10 : CALLS;
  const start = performance.now();
  await Promise.all(
    members.map(async (member) => {
      const line = openConnection(hub.port);
      lab.onClose(line.close);
      for (let id = 0; id < calls; id++) {
        const args = { team: "main", cursor: "zzz" };
        const asked = call(hub.port, member, "list_agents", args, id);
        const { body } = await within(60_000, "an answer in a crowd", line.ask(asked));
        const answer = JSON.parse(body) as { id: number; result: { content: [{ text: string }] } };
        const { self } = JSON.parse(answer.result.content[0].text) as { self: string };
        if (answer.id !== id || self !== member.name) throw new Error(`${member.name} ${id} got ${body}`);
      }
    }),
  );
  return (CLIENTS * calls * 1000) / (performance.now() - start);
}

async function wakes(lab: Lab, hub: BenchHub, ann: Member, bob: Member): Promise<Pair[]> {
  const { port } = hub;
  const [sender, reader] = [openConnection(port), openConnection(port)];
  lab.onClose(sender.close);
  lab.onClose(reader.close);
  const plainSend = buildRequest({
    port,
    method: "POST",
    path: "/api/agents/bob/messages",
    token: ann.token,
    body: { message: "x".repeat(200) },
  });
  const plainWait = buildRequest({ port, method: "GET", path: "/api/inbox?wait=60", token: bob.token });
  const toolSend = call(port, ann, "send_message", { to: "bob", content: "x".repeat(200) });
  const toolWait = call(port, bob, "wait_for_message", { timeout_seconds: 60 });
  async function timed(wait: Buffer, send: Buffer): Promise<number> {
    const reading = reader.ask(wait);
    await sleep(PACE_MS);
    const start = performance.now();
    const sending = sender.ask(send);
    const { body } = await within(5000, "a wake", reading);
    const took = performance.now() - start;
    await sending;
    const ids = [...body.matchAll(/\\?"id\\?":\\?"([^"\\]+)/g)].map(([, id]) => id);
    await reader.ask(
      buildRequest({ port, method: "POST", path: "/api/inbox/ack", token: bob.token, body: { ids } }),
    );
    return took;
  }
  const pairs: Pair[] = [];
  for (let round = 0; round < (lab.quick ? 3 : 7); round++) {
    const times = { plain: [] as number[], tool: [] as number[] };
    for (let i = 0; i < (lab.quick ? 30 : 100); i++) {
      times.plain.push(await timed(plainWait, plainSend));
      times.tool.push(await timed(toolWait, toolSend));
    }
    pairs.push({ anchor: median(times.plain), ours: median(times.tool) });
  }
  return pairs;
}
