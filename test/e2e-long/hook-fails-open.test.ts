// PROTOCOL.md, 21.4: whatever is missing, slow or broken, a hook ends with 0 and says nothing.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type HookSession, hookProgram, startHookSession } from "../fakes/hook-session.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { closedPort, scriptedHub } from "../fakes/scripted-hub.js";

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;
beforeAll(async () => {
  hub = await yard.start();
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
});
afterAll(() => yard.clear());

const silent = { code: 0, stdout: "", stderr: "" };
const prompt = { hook_event_name: "UserPromptSubmit", prompt: "hello" };
/** As it is in the settings of a person: half a second. */
const AS_INSTALLED = { args: [] };

let shops = 0;

/** A session in a folder of its own at the hub that all share, and the name that it has. */
async function place() {
  const shop = `shop${++shops}`;
  const session = await startHookSession({ home: hub.home, cwd: join(hub.home, shop) });
  return { session, name: `claude-${shop}` };
}

const badAnswers = [
  ["hangs up", "reset"],
  ["refuses", { status: 401, json: { error: "no", code: "UNAUTHENTICATED" } }],
  ["breaks", { status: 500, text: "oops" }],
  ["is none", { status: 200, text: "<html>hello</html>" }],
  ["says something else", { status: 200, json: { text: 5, ack: {}, messages: "x" } }],
] as const;

describe("a session whose hub is away:", () => {
  let away: HubProcess;
  let session: HookSession;
  let end = () => {};
  beforeAll(async () => {
    away = await yard.start();
    const onEnd = (last: () => void) => {
      end = last;
    };
    session = await startHookSession({ home: away.home, cwd: join(away.home, "shop"), onEnd });
    await away.stop();
  });
  afterAll(() => end());
  const pointTo = (url: string) =>
    writeFileSync(join(away.home, "hub.json"), JSON.stringify({ url, pid: process.pid }));

  test("no hub", async () => {
    expect(await session.hook(prompt, AS_INSTALLED)).toMatchObject(silent);
  });

  test("a hub that was killed, and left its address behind", async () => {
    pointTo(`http://127.0.0.1:${await closedPort()}`);
    for (const name of ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"]) {
      expect(await session.hook({ hook_event_name: name }, AS_INSTALLED)).toMatchObject(silent);
    }
  });

  test("a hub that takes the call and never answers", async () => {
    const { url } = await scriptedHub(() => new Promise(() => {}));
    pointTo(url);
    expect(await session.hook(prompt, AS_INSTALLED)).toMatchObject(silent);
  });

  test("something that listens and never speaks", async () => {
    const server = createServer((socket) => socket.on("error", () => {}));
    const port = await new Promise<number>((done) =>
      server.listen(0, "127.0.0.1", () => done((server.address() as { port: number }).port)),
    );
    onTestFinished(() => void server.close());
    pointTo(`http://127.0.0.1:${port}`);
    expect(await session.hook({ hook_event_name: "Stop" }, AS_INSTALLED)).toMatchObject(silent);
  });

  test("a hub that hangs up, refuses, breaks, is none or says something else", async () => {
    for (const [what, answer] of badAnswers) {
      const { url, calls } = await scriptedHub(() => answer);
      pointTo(url);
      expect(await session.hook(prompt), what).toMatchObject(silent);
      expect(calls.length, what).toBeGreaterThan(0);
    }
  });

  test("a hub.json that is none", async () => {
    writeFileSync(join(away.home, "hub.json"), "{");
    expect(await session.hook(prompt)).toMatchObject(silent);
  });
});

const badInputs = {
  nothing: "",
  "no JSON": "hello {",
  "another value": "[1,2]",
  null: "null",
  "no session": '{"hook_event_name":"Stop"}',
  "another event": '{"session_id":"s","hook_event_name":"PreCompact"}',
  "wrong types": '{"session_id":5,"hook_event_name":["Stop"]}',
  binary: "\u0000\u0001\ufffd",
  "a subagent's event": '{"session_id":"s","hook_event_name":"PostToolUse","agent_id":"a1"}',
};

test("whatever is wrong on stdin, the session's mail stays for the session itself", async () => {
  const { session, name } = await place();
  for (const [what, input] of Object.entries(badInputs)) {
    await ann.send(name, `for the session itself, after ${what}`);
    expect(await session.hook(input), what).toMatchObject(silent);
    expect(await session.told("UserPromptSubmit"), what).toContain(`after ${what}`);
  }
});

test("a stdin that nobody closes", async () => {
  const { session } = await place();
  expect(await session.hook("", { ...AS_INSTALLED, keepOpen: true })).toMatchObject(silent);
});

test("an event with the largest of tool answers still brings mail", async () => {
  const { session, name } = await place();
  await ann.send(name, "hello");
  const text = await session.told("PostToolUse", {
    tool_name: "Bash",
    tool_input: {},
    tool_response: { stdout: "x".repeat(8_000_000) },
  });
  expect(text).toContain("hello");
});

test("a session without a bridge has no mail, and becomes nobody", async () => {
  const { session, name } = await place();
  const agents = async () => {
    const { json } = await hub.http.call("GET", "/api/agents?limit=1000", { token: hub.operator });
    return (json["agents"] as { name: string }[]).map((agent) => agent.name).sort();
  };
  const before = await agents();
  await ann.send(name, "not for you");
  const other = await startHookSession({
    home: hub.home,
    cwd: join(hub.home, `shop${shops}`),
    bridge: false,
  });
  expect(await other.hook(prompt)).toMatchObject(silent);
  expect(await agents()).toEqual(before);
  expect(await session.told("UserPromptSubmit")).toContain("not for you");
});

test("a CLI that another one runs as a command does not get the other's mail", async () => {
  const { session, name } = await place();
  await ann.send(name, "for the outer one");
  const inner = [process.execPath, resolve("test/fakes/hook-session.mjs"), "none", hookProgram()];
  const event = JSON.stringify({ session_id: "inner", ...prompt });
  const order = JSON.stringify({ id: 1, input: event, args: ["--within=300000"] });
  const { stdout } = await session.hook(`${order}\n`, { under: inner });
  expect(stdout).toContain('{"id":1,"code":0,"stdout":"","stderr":""}');
  expect(await session.told("UserPromptSubmit")).toContain("for the outer one");
});

test("without the CLI's own number the nearest program that is no shell counts", async () => {
  const { session, name } = await place();
  await ann.send(name, "found");
  const { stdout } = await session.hook(prompt, { env: { CLAUDE_PID: "" } });
  expect(stdout).toContain("found");
});

test.each(["the environment", "only that of a program above"])("a hosted session, by %s", async (where) => {
  const env = where === "the environment" ? {} : { HUDDLE_HOSTED: "hub/agent" };
  const shop = `shop${++shops}`;
  const session = await startHookSession({ home: hub.home, cwd: join(hub.home, shop), env });
  await ann.send(`claude-${shop}`, "by the runtime").catch(() => {});
  const hosted = { env: where === "the environment" ? { HUDDLE_HOSTED: "1" } : { HUDDLE_HOSTED: "" } };
  expect(await session.hook(prompt, hosted)).toMatchObject(silent);
});

test("an identity file is taken as it is", async () => {
  const boss = await registerAgent(hub.http, hub.join, { name: "boss" });
  const file = join(hub.home, "boss.json");
  writeFileSync(file, JSON.stringify({ url: hub.url, name: "boss", token: boss.token }), { mode: 0o600 });
  const session = await startHookSession({
    home: join(hub.home, "none"),
    cwd: join(hub.home, "x"),
    bridge: false,
  });
  await ann.send("boss", "by file");
  const { stdout } = await session.hook(prompt, { args: ["--identity", file, "--within=300000"] });
  expect(stdout).toContain("by file");
});

test("what it knows is nobody else's to read, and is gone with the CLI", async () => {
  const { home, http, join: token } = await yard.start();
  const start = () => startHookSession({ home, cwd: join(home, "shop") });
  const session = await start();
  const ben = await registerAgent(http, token, { name: "ben" });
  await ben.send("claude-shop", "one");
  await session.told("UserPromptSubmit");
  const folder = join(home, "hooks");
  expect(readdirSync(folder)).toHaveLength(1);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const gone = once(session.child, "exit");
  session.child.kill("SIGKILL");
  await gone;
  await (await start()).told("SessionStart");
  expect(readdirSync(folder)).toEqual([]);
});

test("huddle hook is the same program; its settings name it, and a wrong option is said", async () => {
  const main = resolve("dist/main.js");
  const env = { PATH: process.env["PATH"], HUDDLE_HOME: "/a b/home" };
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [main, "hook", ...args], { env, input: "{}", stdio: "pipe" }).toString();
  const settings = JSON.parse(run("--print-settings")) as {
    hooks: Record<string, { hooks: { command: string; asyncRewake?: boolean }[] }[]>;
  };
  expect(Object.keys(settings.hooks)).toEqual(["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"]);
  const [once, wake] = settings.hooks["Stop"]?.[0]?.hooks ?? [];
  const program = hookProgram().includes(" ") ? `'${hookProgram()}'` : hookProgram();
  expect(once?.command).toBe(`exec env 'HUDDLE_HOME=/a b/home' ${process.execPath} ${program}`);
  expect(wake).toMatchObject({ command: `${once?.command} --wake`, asyncRewake: true });
  expect(run()).toBe("");
  expect(() => run("--no-such-option")).toThrow(/no-such-option/);
});
