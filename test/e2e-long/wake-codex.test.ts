// PROTOCOL.md, 19.5: a bridge that wakes a codex session through `codex queue`.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type BridgeProcess, startBridge } from "../fakes/bridge-process.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";

const yard = createHubYard();
let hub: HubProcess;
let places = 0;
beforeAll(async () => {
  hub = await yard.start();
});
afterAll(yard.clear);

const THREAD = "01a1e2be-431f-7e30-bae9-5a5d8cc69e2d";

const OTHER = "01a1e2be-9999-7e30-bae9-5a5d8cc69e2d";

/** Writes down what it was told, a line each. */
const QUEUE = `require("node:fs").appendFileSync("rung", JSON.stringify(process.argv.slice(2)) + "\\n")`;

type Placed = { args?: string[]; server?: string; env?: Record<string, string>; threads?: Thread[] };
type Thread = { id: string; cwd?: string; source?: unknown };

async function place(options: Placed = {}) {
  const { args = ["--wake"], server = "app-server", env = {}, threads = [] } = options;
  // Whoever waited in an earlier test is gone.
  await patiently(async () => expect(await waiting()).toBe(0));
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const folder = `shop${++places}`;
  const cwd = join(hub.home, folder);
  mkdirSync(cwd);
  writeFileSync(join(cwd, "queue"), QUEUE);
  if (threads.length > 0) mkdirSync(join(cwd, "threads"));
  for (const { id, source = "cli", ...thread } of threads) {
    const meta = { type: "session_meta", payload: { id, cwd: thread.cwd ?? realpathSync(cwd), source } };
    writeFileSync(
      join(cwd, "threads", `rollout-2026-11-16T09-45-57-${id}.jsonl`),
      `${JSON.stringify(meta)}\n`,
    );
  }
  const bridge = startBridge({
    cwd,
    env: { HUDDLE_HOME: hub.home, ...env },
    args,
    under: [process.execPath, resolve("test/fakes/codex-server.mjs"), server],
  });
  onTestFinished(() => bridge.kill());
  await bridge.initialize({ name: "codex-mcp-client", version: "0.166.0" });
  const rung = () => {
    const file = join(cwd, "rung");
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    return lines.map((line) => JSON.parse(line) as string[]);
  };
  return { ann, bridge, rung, cwd, codex: `codex-${folder}` };
}

function call(bridge: BridgeProcess, name: string, meta: object = { threadId: THREAD }) {
  return bridge.request("tools/call", { _meta: meta, name, arguments: {} });
}

const waiting = async () => {
  const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
  return json["readers"];
};

test("mail rings in the thread that called a tool: a line without the mail, once until it calls again", async () => {
  const { ann, bridge, rung, codex } = await place();
  await call(bridge, "list_agents");
  await patiently(async () => expect(await waiting()).toBe(1));
  await ann.send(codex, "by the way", { attention: "fyi" });
  await ann.send(codex, "the secret is 42");
  await patiently(() => expect(rung()).toHaveLength(1));
  expect(rung()).toEqual([
    [
      "--thread",
      THREAD,
      "--message",
      expect.stringMatching(
        new RegExp(`2 messages from ${ann.name}; call check_messages to read them`),
      ) as unknown,
    ],
  ]);
  expect(JSON.stringify(rung())).not.toContain("42");
  await ann.send(codex, "one more");
  const read = await call(bridge, "check_messages");
  expect(JSON.stringify(read)).toMatch(/by the way.*the secret is 42.*one more/);
  await call(bridge, "list_agents");
  await ann.send(codex, "later");
  await patiently(() => expect(rung()).toHaveLength(2));
});

test("before its first call of a tool, mail rings in the only thread that codex has open in this folder", async () => {
  const threads = [
    { id: THREAD },
    { id: OTHER, cwd: "/elsewhere" },
    { id: OTHER.replace("9999", "8888"), source: { subagent: "review" } },
  ];
  const { ann, rung, codex } = await place({ threads, args: ["--wake", "--join-after", "0"] });
  await patiently(async () => expect(await waiting()).toBe(1));
  await ann.send(codex, "the secret is 42");
  await patiently(() => expect(rung()).toHaveLength(1));
  expect(rung()[0]?.slice(0, 2)).toEqual(["--thread", THREAD]);
});

test("of two threads in one folder none is guessed to be its own", async () => {
  const { bridge } = await place({ threads: [{ id: THREAD }, { id: OTHER }] });
  await call(bridge, "list_agents", {});
  await call(bridge, "list_agents", {});
  expect(await waiting()).toBe(0);
});

test.each([
  ["it was not asked to", { args: [] }, { threadId: THREAD }],
  ["the hub hosts the session", { args: ["--wake"], env: { HUDDLE_HOSTED: "x" } }, { threadId: THREAD }],
  ["codex is not on a screen", { server: "exec" }, { threadId: THREAD }],
  ["the call names no thread", {}, {}],
  ["what it names is none", {}, { threadId: "--remote" }],
])("nobody is woken when %s", async (_, options, meta) => {
  const { bridge } = await place(options);
  await call(bridge, "list_agents", meta);
  await call(bridge, "list_agents", meta);
  expect(await waiting()).toBe(0);
});

test("a codex that cannot queue is left alone, and the bridge goes on", async () => {
  const { ann, bridge, cwd, codex } = await place();
  writeFileSync(join(cwd, "queue"), "process.exit(1)");
  await call(bridge, "list_agents");
  for (let i = 0; i < 3; i++) {
    await patiently(async () => expect(await waiting()).toBe(1));
    await ann.send(codex, `m${i}`);
    await patiently(async () => expect(await waiting()).toBe(0));
    await call(bridge, "check_messages");
    await call(bridge, "list_agents");
  }
  await patiently(() => expect(bridge.stderr()).toContain("codex queue does not work here"));
  expect((await call(bridge, "list_agents")).result).toBeDefined();
});
