/*
 * The stdio bridge: what an agent CLI starts as its MCP server. It forwards each JSON-RPC line to the hub's /mcp and
 * writes the answers back, so that fifty agents are not fifty heavy processes. The build makes one CommonJS file of
 * this folder, dist/mcp-bridge.cjs, with nothing in it but Node's own modules.
 *
 * It ends when stdin ends, on a signal (there are no handlers), or when nobody reads what it writes, and on nothing
 * else: most CLIs do not start it again.
 */

import { writeFile } from "node:fs";
import { parseJson } from "../model/parse-json.js";
import { createForwarding } from "./forward-calls.js";
import { openHomeHub } from "./home-hub.js";
import { createIdentity } from "./identity.js";
import { isId, isObject } from "./json.js";
import { openOutput } from "./output.js";
import { LINE_LIMIT, readLines } from "./read-lines.js";
import { readSettings } from "./settings.js";
import { standAside } from "./stand-aside.js";
import { createCodexWaker } from "./wake-codex.js";

const INVALID = -32600;
const NOT_JSON = -32700;

const settings = readSettings(process.argv.slice(2), process.env);
const output = openOutput(process.stdout);
const hub = openHomeHub(settings);
const identity = createIdentity(settings, hub);
const forwarding = createForwarding({ hub, identity, output, ...settings, answered });
const waker = settings.wakes ? createCodexWaker(hub, identity) : undefined;

process.on("uncaughtException", (error) => process.stderr.write(`huddle: ${error.stack ?? error.message}\n`));
process.stdout.on("error", () => process.exit(0));
process.stdin.on("error", end);
readLines(process.stdin, {
  onLine(line) {
    const message = parseJson(line.toString("utf8"));
    if (message === undefined) refuseNoise(line);
    else if (settings.standsAside) standAside(message, output);
    else receive(message, line);
  },
  onTooLong: (size, id) =>
    output.refuse(id, INVALID, `A line may have at most ${LINE_LIMIT} bytes, this one has ${size}`),
  onEnd: end,
});

function receive(message: unknown, line: Buffer): void {
  if (Array.isArray(message)) {
    const ids = message.map((each: unknown) => (isObject(each) ? each["id"] : undefined)).filter(isId);
    for (const id of ids.length === 0 ? [null] : ids) {
      output.refuse(id, INVALID, "Batches are not taken: send one message per line");
    }
    return;
  }
  if (!isObject(message)) {
    output.refuse(null, INVALID, "A JSON-RPC message is an object");
    return;
  }
  const { id, method } = message;
  const params = isObject(message["params"]) ? message["params"] : {};
  if (typeof method !== "string") {
    // An answer: but the hub asks nothing of a client.
    if ("result" in message || "error" in message) return;
    output.refuse(isId(id) ? id : null, INVALID, "A request needs a method");
    return;
  }
  if (method === "tools/call") waker?.called(params);
  if (id === undefined) forwarding.notification(method, params, line);
  else if (isId(id)) forwarding.request(id, method, params, line);
  else
    output.refuse(
      null,
      INVALID,
      `The id of a request is a text, or a number of at most ${Number.MAX_SAFE_INTEGER}`,
    );
}

function answered(method: string): void {
  // Without it the hub waits a while longer.
  if (method === "tools/list" && settings.toolsListed !== undefined)
    writeFile(settings.toolsListed, "", () => {});
}

function refuseNoise(line: Buffer): void {
  if (line.toString("latin1").trim() === "") return;
  output.refuse(null, NOT_JSON, "This line is not JSON; each line is one JSON-RPC message");
}

function end(): void {
  // Once everything that was written has left.
  forwarding.drain(() => process.stdout.write("", () => process.exit(0)));
}
