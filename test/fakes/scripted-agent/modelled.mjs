#!/usr/bin/env node
// A small agent CLI that has a model, for `huddle selftest`: it speaks ACP over stdio, asks the model at $ANTHROPIC_BASE_URL, runs commands
// once it may, uses the tools of its MCP server, and keeps its sessions. Flags make it go wrong: --hang and --crash as it starts, --garbage
// (what it prints is no ACP), --flood (so are 20 MB before the rest), --login (it wants an account), --mute (never asks its model),
// --forget (loads no session), --deaf (heeds no cancel), --pushy (runs commands unasked), --toolless (offers its model no tools of MCP),
// --disobey (runs what it may not), --double (shows its model each prompt twice), --once (is --toolless in its first process only).
import { execSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import { openMcpServer } from "./call-mcp.mjs";

const flags = new Set(process.argv.slice(2));
const own = "mcp__huddle__";

if (flags.has("--version")) {
  console.log("modelled 1.2.3");
  process.exit(0);
}
if (flags.has("--crash")) {
  process.stderr.write(`cannot start with ${process.env["ANTHROPIC_API_KEY"]} in ${homedir()}\n`);
  process.exit(1);
}

/** @typedef {{ type: string, text?: string, id?: string, name?: string, input?: Record<string, unknown>, tool_use_id?: string, content?: string }} Block */
/** @typedef {{ id: string, messages: { role: string, content: Block[] }[] }} Session */
/** @typedef {Awaited<ReturnType<typeof openMcpServer>>} Server */

const folder = join(homedir(), ".modelled");
const isFirst = flags.has("--once") && !existsSync(folder);
const fileOf = (/** @type {string} */ id) => join(folder, `${id}.json`);
/** @type {Map<string, { session: Session, server: Server }>} */
const opened = new Map();
/** @type {AbortController | undefined} */
let turn;

/** @param {Session} session */
function keep(session) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(session.id), JSON.stringify(session));
}

/** @param {Session} session @param {Record<string, unknown> | null | undefined} meta */
async function open(session, meta) {
  const { claudeCode } = /** @type {any} */ (meta);
  opened.set(session.id, { session, server: await openMcpServer(claudeCode.options.mcpServers.huddle) });
  keep(session);
}

const app = agent({ name: "modelled" })
  .onRequest("initialize", () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: { loadSession: true },
    authMethods: [{ id: "browser", name: "Log in with your browser" }],
  }))
  .onRequest("session/new", async ({ params }) => {
    if (flags.has("--login")) throw RequestError.authRequired();
    const session = { id: randomUUID(), messages: [] };
    await open(session, params._meta);
    return { sessionId: session.id };
  })
  .onRequest("session/load", async ({ params }) => {
    if (flags.has("--forget") || !existsSync(fileOf(params.sessionId)))
      throw RequestError.sessionNotFound(params.sessionId);
    await open(JSON.parse(readFileSync(fileOf(params.sessionId), "utf8")), params._meta);
    return {};
  })
  .onRequest("session/prompt", async ({ params, client }) => {
    const found = opened.get(params.sessionId);
    if (found === undefined) throw RequestError.sessionNotFound(params.sessionId);
    const { session, server } = found;
    const mine = new AbortController();
    turn = mine;
    const [block] = params.prompt;
    const text = block?.type === "text" ? block.text : "";
    const words = { type: "text", text };
    session.messages.push({ role: "user", content: flags.has("--double") ? [words, words] : [words] });
    keep(session);
    if (flags.has("--mute")) return { stopReason: "end_turn" };
    try {
      for (;;) {
        const content = await askModel(session, server, mine.signal);
        session.messages.push({ role: "assistant", content });
        for (const said of content)
          if (said.text !== undefined)
            await client.notify("session/update", {
              sessionId: session.id,
              update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: said.text } },
            });
        const calls = content.filter(({ type }) => type === "tool_use");
        if (calls.length === 0) return { stopReason: "end_turn" };
        const results = [];
        for (const call of calls)
          results.push({
            type: "tool_result",
            tool_use_id: call.id ?? "",
            content: await useTool(call, server, (command) => ask(command, session.id, client)),
          });
        session.messages.push({ role: "user", content: results });
        keep(session);
      }
    } catch (error) {
      if (mine.signal.aborted) return { stopReason: "cancelled" };
      throw error;
    }
  })
  .onNotification("session/cancel", () => {
    if (!flags.has("--deaf")) turn?.abort();
  });

/** @param {Session} session @param {Server} server @param {AbortSignal} signal @returns {Promise<Block[]>} */
async function askModel({ messages }, server, signal) {
  const schema = { type: "object", properties: { command: { type: "string" } } };
  const tools = flags.has("--toolless") || isFirst ? [] : await server.list();
  const offered = tools.map(({ name, inputSchema }) => ({ name: own + name, input_schema: inputSchema }));
  const response = await fetch(`${process.env["ANTHROPIC_BASE_URL"]}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "scripted",
      max_tokens: 1000,
      messages,
      tools: [{ name: "Bash", input_schema: schema }, ...offered],
    }),
    signal,
  });
  if (!response.ok) throw new Error(`the model answered ${response.status}`);
  const { content } = /** @type {{ content: Block[] }} */ (await response.json());
  return content;
}

/** @param {Block} call @param {Server} server @param {(command: string) => Promise<boolean>} may */
async function useTool({ name = "", input = {} }, server, may) {
  if (name.startsWith(own)) return server.call(name.slice(own.length), input);
  const command = String(input["command"]);
  const isAllowed = flags.has("--pushy") || (await may(command));
  return isAllowed || flags.has("--disobey") ? `done ${execSync(command).toString()}` : "The person refused.";
}

/** @param {string} command @param {string} sessionId @param {import("@agentclientprotocol/sdk").AgentContext} client */
async function ask(command, sessionId, client) {
  const { outcome } = await client.request("session/request_permission", {
    sessionId,
    toolCall: { toolCallId: randomUUID(), title: command, kind: "execute", rawInput: { command } },
    options: [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ],
  });
  return outcome.outcome === "selected" && outcome.optionId === "yes";
}

if (flags.has("--hang")) setInterval(() => {}, 1000);
else if (flags.has("--garbage")) {
  setInterval(() => process.stdout.write("Checking for updates…\n{broken\n"), 100);
} else {
  if (flags.has("--flood"))
    await new Promise((done) => process.stdout.write(`${"x".repeat(9999)}\n`.repeat(2000), done));
  const input = /** @type {ReadableStream} */ (Readable.toWeb(process.stdin));
  const connection = app.connect(ndJsonStream(Writable.toWeb(process.stdout), input));
  void connection.closed.then(() => process.exit(0));
}
