import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CompiledSources, compileSources, startChild } from "../../../test/child-processes.js";
import { PATIENCE_MS } from "../../../test/fakes/patience.js";
import { living, until } from "../../../test/fakes/runtime-host.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { buildEnvironment, hostedMarker } from "./environment.js";
import { type AgentProcess, spawnAgent } from "./spawn-agent.js";
import { sweepHub } from "./sweep.js";

/** An agent that begins three more processes: a child, one that ignores SIGTERM, one in a session of its own. */
const family = `
const { spawn } = require("node:child_process");
const sleeper = "process.on('SIGTERM', () => { if (!process.argv[1]) process.exit() }); setInterval(() => {}, 1000); console.log('up')";
const pids = [process.pid];
let up = 0;
for (const [detached, deaf] of [[false, ""], [false, "deaf"], [true, "deaf"]]) {
  const child = spawn(process.execPath, ["-e", sleeper, deaf].filter(Boolean), { detached, stdio: ["ignore", "pipe", "ignore"] });
  pids.push(child.pid);
  child.stdout.once("data", () => { if (++up === 3) console.log(JSON.stringify(pids)); });
}
process.stdin.resume();
if (process.argv[1] === "deaf") { process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); }
else process.stdin.on("end", () => process.exit(0));
`;

const hub = "hub-of-this-test";
const environment = (agent = "a1", env: Record<string, string> = {}) =>
  buildEnvironment(process.env, { env, passEnv: [] }, hostedMarker(hub, agent));

function begin(script: string, args: string[] = [], agent = "a1"): Promise<AgentProcess> {
  const argv = [process.execPath, "-e", script, ...args];
  return spawnAgent({ argv, cwd: tempFolder(), env: environment(agent), install: "Install it." });
}

async function firstLine(agent: AgentProcess): Promise<string> {
  let text = "";
  for await (const chunk of agent.stdout) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split("\n", 1)[0] ?? "";
}

const pidsOf = (line: string) => JSON.parse(line) as number[];

test("an agent runs with its own pid, argv, folder and environment, and its exit is told", async () => {
  const cwd = tempFolder();
  const say =
    "console.log(JSON.stringify([process.pid, process.argv.slice(1), process.cwd(), process.env])); process.exitCode = 7";
  const nasty = ["$(touch canary)", "`id`", "; rm -rf x", "a\nb", '"', "'", "*", "-n", ""];
  const agent = await spawnAgent({
    argv: [process.execPath, "-e", say, "--", ...nasty],
    cwd,
    env: environment("a1", { EXTRA: "x" }),
    install: "",
  });
  const [pid, args, folder, env] = JSON.parse(await firstLine(agent)) as [
    number,
    string[],
    string,
    Record<string, string>,
  ];
  expect([pid, args, folder]).toEqual([agent.pid, nasty, cwd]);
  expect(env).toMatchObject({ EXTRA: "x", HUDDLE_HOSTED: `${hub}:a1` });
  expect(await agent.ended).toMatchObject({ code: 7, signal: null });
});

test("nothing of the hub's own environment is passed but what is on the list", () => {
  const from = {
    PATH: "/bin",
    HOME: "/home/ann",
    XDG_RUNTIME_DIR: "/run",
    https_proxy: "http://proxy",
    HUDDLE_TOKEN: "canary",
    JANUS_API_URL: "canary",
    AWS_SECRET_ACCESS_KEY: "canary",
    VENDOR_KEY: "theirs",
  };
  const built = buildEnvironment(
    from,
    { env: { HUDDLE_TOKEN: "canary", OWN: "1" }, passEnv: ["VENDOR_*"] },
    "h:a",
  );
  expect(built).toEqual({
    PATH: "/bin",
    HOME: "/home/ann",
    XDG_RUNTIME_DIR: "/run",
    https_proxy: "http://proxy",
    VENDOR_KEY: "theirs",
    OWN: "1",
    HUDDLE_HOSTED: "h:a",
  });
});

test("a command that is not there is refused with how to install it", async () => {
  const options = { cwd: tempFolder(), env: environment(), install: "Install it with: npm i -g nothing" };
  await expect(spawnAgent({ ...options, argv: ["no-such-command-here"] })).rejects.toMatchObject({
    code: "BACKEND_MISSING",
    message: '"no-such-command-here" is not installed. Install it with: npm i -g nothing',
  });
  await expect(
    spawnAgent({ ...options, argv: [process.execPath], cwd: join(options.cwd, "gone") }),
  ).rejects.toMatchObject({ code: "BACKEND_FAILED" });
});

test("the end of standard error is kept, and no more than its end", async () => {
  const agent = await begin('process.stderr.write("x".repeat(1e6) + "the end"); process.exitCode = 1');
  const { stderr } = await agent.ended;
  expect(stderr).toMatch(/the end$/);
  expect(stderr.length).toBeLessThan(10_000);
});

test.each([
  ["that ends when asked", [], PATIENCE_MS, { code: 0, signal: null }],
  ["that ignores its input and SIGTERM", ["deaf"], 0, { code: null, signal: "SIGKILL" }],
])(
  "stopping an agent %s leaves none of its processes",
  { timeout: 120_000 },
  async (_what, args, graceMs, end) => {
    const agent = await begin(family, args);
    const pids = pidsOf(await firstLine(agent));
    expect(living(pids)).toEqual(pids);
    await agent.stop({ graceMs });
    expect(await agent.ended).toMatchObject(end);
    expect(living(pids)).toEqual([]);
  },
);

test("when an agent ends by itself, what it began ends too", async () => {
  const agent = await begin(`${family}; process.stdin.once("data", () => process.exit(3))`);
  const pids = pidsOf(await firstLine(agent));
  agent.stdin.write("go\n");
  expect(await agent.ended).toMatchObject({ code: 3 });
  expect(living(pids)).toEqual([]);
});

test("a sweep ends the processes of a hub, except those to be spared", {
  timeout: 120_000,
}, async () => {
  const idle = "setInterval(() => {}, 1000); console.log('up')";
  const agents = await Promise.all(["s1", "s2", "s3"].map((name) => begin(idle, [], name)));
  await Promise.all(agents.map(firstLine));
  const [first = 0, second = 0, third = 0] = agents.map(({ pid }) => pid);
  await sweepHub(hub, (agent) => agent !== "s1");
  expect(living([first, second, third])).toEqual([second, third]);
  await sweepHub(hub, (agent) => agent === "s3");
  expect(living([first, second, third])).toEqual([third]);
  await sweepHub("another-hub", () => false);
  expect(living([third])).toEqual([third]);
  await Promise.all(agents.map((agent) => agent.stop({ graceMs: 0 })));
});

describe("when the hub is killed with -9", () => {
  let sources: CompiledSources;
  beforeAll(async () => {
    sources = await compileSources("runtime/process/spawn-agent.ts", "runtime/process/environment.ts");
  });
  afterAll(() => sources.remove());

  test.each([[[]], [["deaf"]]])("no process of an agent %j stays", { timeout: 120_000 }, async (args) => {
    const hubProcess = startChild(`
      const { spawnAgent } = await import(${JSON.stringify(sources.url("runtime/process/spawn-agent.ts"))});
      const env = { PATH: process.env.PATH, HUDDLE_HOSTED: "h:a" };
      const argv = [process.execPath, "-e", ${JSON.stringify(family)}, ...${JSON.stringify(args)}];
      const agent = await spawnAgent({ argv, cwd: "/", env, install: "" });
      agent.stdout.on("data", (line) => process.stdout.write(line));
    `);
    const pids = (await hubProcess.answer()) as number[];
    expect(living(pids)).toEqual(pids);
    await hubProcess.kill();
    await until(() => living(pids).length === 0);
  });
});
