#!/usr/bin/env node
// A scripted agent as a headless CLI with the flags and lines of `claude -p --input-format stream-json --output-format
// stream-json --permission-prompt-tool stdio`. The prompt is a line of its standard input; what it does is written in it: see
// directives.mjs.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { callMcpTool } from "./call-mcp.mjs";
import { noteEnd, obey } from "./directives.mjs";
import { limitWords } from "./limit.mjs";
import { beginSession, keepSession, loadSession } from "./sessions.mjs";

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    print: { type: "boolean", short: "p" },
    verbose: { type: "boolean" },
    "include-partial-messages": { type: "boolean" },
    "input-format": { type: "string" },
    "output-format": { type: "string" },
    "permission-prompt-tool": { type: "string" },
    disallowedTools: { type: "string" },
    "permission-mode": { type: "string" },
    "mcp-config": { type: "string" },
    allowedTools: { type: "string" },
    model: { type: "string" },
    resume: { type: "string" },
  },
});
if (values["output-format"] !== "stream-json" || values["input-format"] !== "stream-json") {
  process.stderr.write("only stream-json\n");
  process.exit(2);
}

const session = values.resume === undefined ? beginSession() : loadSession(values.resume);
if (session === undefined) {
  process.stderr.write(`No conversation found with session ID: ${values.resume}\n`);
  process.exit(1);
}
/** @param {Record<string, unknown>} line */
const print = (line) =>
  new Promise((done) =>
    process.stdout.write(`${JSON.stringify({ ...line, session_id: session.id })}\n`, done),
  );
/** @param {Record<string, unknown>} event */
const stream = (event) => print({ type: "stream_event", parent_tool_use_id: null, event });

const cut = new AbortController();
/** @type {Map<string, (answer: { behavior: string, updatedPermissions?: unknown }) => void>} */
const asked = new Map();
const prompt = await new Promise((resolve) => {
  createInterface({ input: process.stdin }).on("line", (text) => {
    const line = JSON.parse(text);
    if (line.type === "user") resolve(line.message.content);
    else if (line.type === "control_response") asked.get(line.response.request_id)?.(line.response.response);
    else if (line.request?.subtype === "interrupt") cut.abort();
  });
});
const history = [...session.prompts];
session.prompts.push(prompt);
keepSession(session);
await print({ type: "system", subtype: "init", cwd: process.cwd(), model: values.model ?? "scripted" });

const config = values["mcp-config"];
/** @type {{ mcpServers: Record<string, { command: string, args: string[] }> }} */
const { mcpServers } = config === undefined ? { mcpServers: {} } : JSON.parse(readFileSync(config, "utf8"));

const rules = [{ toolName: "Bash", ruleContent: "rm -rf build" }];
const suggestions = [
  { type: "setMode", mode: "acceptEdits", destination: "session" },
  { type: "addRules", rules, behavior: "allow", destination: "localSettings" },
];
let begun = false;
/** It has its result out and does not end. */
let lingers = false;
await obey(prompt, {
  history,
  cancelled: cut.signal,
  async say(text) {
    if (!begun) await stream({ type: "content_block_start", content_block: { type: "text" } });
    begun = true;
    await stream({ type: "content_block_delta", delta: { type: "text_delta", text } });
  },
  think: async (thinking) =>
    void (await stream({ type: "content_block_delta", delta: { type: "thinking_delta", thinking } })),
  async askPermission() {
    const id = `ask-${asked.size + 1}`;
    const input = { command: "rm -rf build" };
    await print({
      type: "assistant",
      message: { content: [{ type: "tool_use", id: "call-1", name: "Bash", input }] },
    });
    const answer = new Promise((resolve) => asked.set(id, resolve));
    await print({
      type: "control_request",
      request_id: id,
      request: { subtype: "can_use_tool", tool_name: "Bash", input, permission_suggestions: suggestions },
    });
    const { behavior, updatedPermissions } = await answer;
    if (cut.signal.aborted) return "cancelled";
    return behavior === "deny" ? "no" : updatedPermissions === undefined ? "yes" : "all";
  },
  callTool: (name, input) => callMcpTool(mcpServers["huddle"], name, input),
  own: {
    async settings() {
      await stream({
        type: "content_block_delta",
        delta: { type: "text_delta", text: JSON.stringify({ ...values, argv: process.argv.slice(2) }) },
      });
    },
    noise: () =>
      void process.stdout.write('Loading…\n{broken\n[1]\nnull\n{"type":7}\n{"type":"of_the_future"}\n'),
    huge: () => void process.stdout.write(Buffer.alloc(40 * 1024 * 1024, "x")),
    async refuse() {
      await print({ type: "result", subtype: "success", is_error: true, result: "the model is overloaded" });
      process.exit(1);
    },
    async limit(seconds) {
      const words = limitWords(seconds);
      if (words === undefined) return;
      await print({ type: "result", subtype: "success", is_error: true, result: words });
      process.exit(1);
    },
    linger() {
      lingers = true;
    },
  },
});
noteEnd(prompt);
await print({
  type: "result",
  subtype: cut.signal.aborted ? "error_during_execution" : "success",
  is_error: cut.signal.aborted,
  stop_reason: "end_turn",
  // Of the whole session, as claude tells it.
  total_cost_usd: 0.5 * (history.length + 1),
  usage: { input_tokens: 10, output_tokens: 2 },
});
if (lingers) {
  await stream({ type: "content_block_delta", delta: { type: "text_delta", text: " and lingers" } });
  setInterval(() => {}, 1000);
}
