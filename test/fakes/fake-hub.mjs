// Stands in for `huddle up --foreground --json`: a hub that does what FAKE in its folder says, and nothing else.
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const home = process.env["HUDDLE_HOME"] ?? "";
const file = (/** @type {string} */ name) => join(home, name);
const plan = existsSync(file("FAKE")) ? readFileSync(file("FAKE"), "utf8") : "";

/** @param {string} code */
function refuse(code) {
  process.stderr.write(`${JSON.stringify({ error: `The fake says ${code}`, code, port: 1 })}\n`);
  process.exit(code === "HUB_RUNNING" ? 1 : 2);
}

if (plan === "die") process.exit(3);
if (plan === "refuse") refuse("CONFIG_INVALID");
try {
  openSync(file("lock"), "wx");
} catch {
  refuse("HUB_RUNNING");
}

const server = createServer((request, response) => {
  const allowed = request.headers.authorization === "Bearer secret";
  response.writeHead(allowed ? 200 : 401, { "content-type": "application/json" });
  const health = {
    ok: true,
    version: "0",
    pid: process.pid,
    url: address(),
    data: home,
    started: "",
    agents: 0,
    unread: 0,
    readers: 0,
    totals: {},
    journal: { seq: 0, wal_bytes: 0 },
    memory_bytes: 0,
  };
  response.end(JSON.stringify(allowed ? health : { error: "No", code: "UNAUTHENTICATED" }));
});

function address() {
  const bound = server.address();
  return `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
}

server.listen(0, "127.0.0.1", () => {
  writeFileSync(file("token"), "secret");
  writeFileSync(
    file("started-with"),
    JSON.stringify({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd() }),
  );
  writeFileSync(file("hub.json"), JSON.stringify({ url: address(), pid: process.pid }));
});

process.on("SIGTERM", () => {
  if (plan === "stubborn") return;
  rmSync(file("hub.json"));
  rmSync(file("lock"));
  process.exit(0);
});
