// Stands in for Claude Code as far as bridges and hooks see it: one process that runs a bridge as its MCP server and its
// hooks as children, with the variables that it gives them. Orders come as lines of JSON on stdin, answers go to stdout.
// Usage: node hook-session.mjs BRIDGE|none HOOK
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * @typedef {object} Order
 * @property {object} [bridge] a message for the bridge; else a hook is run
 * @property {number} id
 * @property {string[]} [args]
 * @property {string} [input]
 * @property {Record<string, string>} [env]
 * @property {boolean} [shell]
 * @property {string[]} [under]
 * @property {boolean} [keepOpen]
 */

const [bridgeProgram = "none", hookProgram = ""] = process.argv.slice(2);
process.title = "claude";

let running = 0;
let ended = false;

const bridge =
  bridgeProgram === "none"
    ? undefined
    : spawn(process.execPath, [bridgeProgram], { stdio: ["pipe", "pipe", "inherit"] });
if (bridge !== undefined)
  createInterface({ input: bridge.stdout }).on("line", (line) => say({ bridge: JSON.parse(line) }));

createInterface({ input: process.stdin })
  .on("line", (line) => obey(JSON.parse(line)))
  .on("close", () => {
    ended = true;
    leave();
  });

function leave() {
  if (ended && running === 0) process.exit(0);
}

/** @param {Order} order */
function obey(order) {
  if (order.bridge !== undefined) bridge?.stdin.write(`${JSON.stringify(order.bridge)}\n`);
  else run(order);
}

/**
 * As Claude Code does it: a session of its own, by a shell or directly, with the event on stdin.
 * @param {Order} order
 */
function run({ id, args = [], input = "", env = {}, shell = true, under = [], keepOpen = false }) {
  const argv = [...under, process.execPath, hookProgram, ...args];
  const [command = "", ...rest] = shell ? ["/bin/sh", "-c", argv.map((word) => `'${word}'`).join(" ")] : argv;
  const hook = spawn(command, rest, {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, CLAUDE_PID: String(process.pid), CLAUDE_CODE_ENTRYPOINT: "cli", ...env },
  });
  let stdout = "";
  let stderr = "";
  hook.stdout.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => {
    stdout += chunk;
  });
  hook.stderr.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => {
    stderr += chunk;
  });
  hook.stdin.on("error", () => {}); // It may have ended first.
  hook.stdin.write(input);
  if (!keepOpen) hook.stdin.end();
  say({ id, pid: hook.pid });
  running++;
  hook.on("close", (code) => {
    running--;
    say({ id, code, stdout, stderr });
    leave();
  });
}

/** @param {object} value */
function say(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
