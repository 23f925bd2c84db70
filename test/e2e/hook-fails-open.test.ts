// PROTOCOL.md, 21.4: whatever is missing, slow or broken, a hook ends with 0 and says nothing.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { hookProgram, startHookSession } from "../fakes/hook-session.js";
import { createHubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { closedPort, scriptedHub } from "../fakes/scripted-hub.js";

const yard = createHubYard();
afterEach(yard.clear);

const silent = { code: 0, stdout: "", stderr: "" };
const prompt = { hook_event_name: "UserPromptSubmit", prompt: "hello" };
/** As it is in the settings of a person: half a second. */
const AS_INSTALLED = { args: [] };

async function place(options: { bridge?: boolean; env?: Record<string, string> } = {}) {
  const hub = await yard.start();
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const session = await startHookSession({ home: hub.home, cwd: join(hub.home, "shop"), ...options });
  const pointTo = (url: string) =>
    writeFileSync(join(hub.home, "hub.json"), JSON.stringify({ url, pid: process.pid }));
  return { hub, ann, session, pointTo };
}

test("no hub", async () => {
  const { hub, session } = await place();
  await hub.stop();
  expect(await session.hook(prompt, AS_INSTALLED)).toMatchObject(silent);
});

test("a hub that was killed, and left its address behind", async () => {
  const { session, pointTo } = await place();
  pointTo(`http://127.0.0.1:${await closedPort()}`);
  for (const name of ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"]) {
    expect(await session.hook({ hook_event_name: name }, AS_INSTALLED)).toMatchObject(silent);
  }
});

test("a hub that takes the call and never answers", async () => {
  const { session, pointTo } = await place();
  const { url } = await scriptedHub(() => new Promise(() => {}));
  pointTo(url);
  expect(await session.hook(prompt, AS_INSTALLED)).toMatchObject(silent);
});

test("something that listens and never speaks", async () => {
  const { session, pointTo } = await place();
  const server = createServer((socket) => socket.on("error", () => {}));
  const port = await new Promise<number>((done) =>
    server.listen(0, "127.0.0.1", () => done((server.address() as { port: number }).port)),
  );
  onTestFinished(() => void server.close());
  pointTo(`http://127.0.0.1:${port}`);
  expect(await session.hook({ hook_event_name: "Stop" }, AS_INSTALLED)).toMatchObject(silent);
});

const badAnswers = [
  ["hangs up", "reset"],
  ["refuses", { status: 401, json: { error: "no", code: "UNAUTHENTICATED" } }],
  ["breaks", { status: 500, text: "oops" }],
  ["is none", { status: 200, text: "<html>hello</html>" }],
  ["says something else", { status: 200, json: { text: 5, ack: {}, messages: "x" } }],
] as const;

test("a hub that hangs up, refuses, breaks, is none or says something else", async () => {
  const { session, pointTo } = await place();
  for (const [what, answer] of badAnswers) {
    const { url } = await scriptedHub(() => answer);
    pointTo(url);
    expect(await session.hook(prompt), what).toMatchObject(silent);
  }
});

test("a hub.json that is none", async () => {
  const { hub, session } = await place();
  writeFileSync(join(hub.home, "hub.json"), "{");
  expect(await session.hook(prompt)).toMatchObject(silent);
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
  const { ann, session } = await place();
  for (const [what, input] of Object.entries(badInputs)) {
    await ann.send("claude-shop", `for the session itself, after ${what}`);
    expect(await session.hook(input), what).toMatchObject(silent);
    expect(await session.told("UserPromptSubmit"), what).toContain(`after ${what}`);
  }
});

test("a stdin that nobody closes", async () => {
  const { session } = await place();
  expect(await session.hook("", { ...AS_INSTALLED, keepOpen: true })).toMatchObject(silent);
});

test("an event with the largest of tool answers still brings mail", async () => {
  const { ann, session } = await place();
  await ann.send("claude-shop", "hello");
  const text = await session.told("PostToolUse", {
    tool_name: "Bash",
    tool_input: {},
    tool_response: { stdout: "x".repeat(8_000_000) },
  });
  expect(text).toContain("hello");
});

test("a session without a bridge has no mail, and becomes nobody", async () => {
  const { hub, ann, session } = await place();
  await ann.send("claude-shop", "not for you");
  const other = await startHookSession({ home: hub.home, cwd: join(hub.home, "shop"), bridge: false });
  expect(await other.hook(prompt)).toMatchObject(silent);
  const { json } = await hub.http.call("GET", "/api/agents", { token: hub.operator });
  expect((json["agents"] as { name: string }[]).map(({ name }) => name).sort()).toEqual([
    "ann",
    "claude-shop",
  ]);
  expect(await session.told("UserPromptSubmit")).toContain("not for you");
});

test("a CLI that another one runs as a command does not get the other's mail", async () => {
  const { ann, session } = await place();
  await ann.send("claude-shop", "for the outer one");
  const inner = [process.execPath, resolve("test/fakes/hook-session.mjs"), "none", hookProgram()];
  const event = JSON.stringify({ session_id: "inner", ...prompt });
  const order = JSON.stringify({ id: 1, input: event, args: ["--within=30000"] });
  const { stdout } = await session.hook(`${order}\n`, { under: inner });
  expect(stdout).toContain('{"id":1,"code":0,"stdout":"","stderr":""}');
  expect(await session.told("UserPromptSubmit")).toContain("for the outer one");
});

test("without the CLI's own number the nearest program that is no shell counts", async () => {
  const { ann, session } = await place();
  await ann.send("claude-shop", "found");
  const { stdout } = await session.hook(prompt, { env: { CLAUDE_PID: "" } });
  expect(stdout).toContain("found");
});

test.each(["the environment", "only that of a program above"])("a hosted session, by %s", async (where) => {
  const { hub, ann } = await place();
  const env = where === "the environment" ? {} : { HUDDLE_HOSTED: "hub/agent" };
  const session = await startHookSession({ home: hub.home, cwd: join(hub.home, "other"), env });
  await ann.send("claude-other", "by the runtime").catch(() => {});
  const hosted = { env: where === "the environment" ? { HUDDLE_HOSTED: "1" } : { HUDDLE_HOSTED: "" } };
  expect(await session.hook(prompt, hosted)).toMatchObject(silent);
});

test("an identity file is taken as it is", async () => {
  const { hub, ann } = await place();
  const boss = await registerAgent(hub.http, hub.join, { name: "boss" });
  const file = join(hub.home, "boss.json");
  writeFileSync(file, JSON.stringify({ url: hub.url, name: "boss", token: boss.token }), { mode: 0o600 });
  const session = await startHookSession({
    home: join(hub.home, "none"),
    cwd: join(hub.home, "x"),
    bridge: false,
  });
  await ann.send("boss", "by file");
  const { stdout } = await session.hook(prompt, { args: ["--identity", file, "--within=30000"] });
  expect(stdout).toContain("by file");
});

test("what it knows is nobody else's to read, and is gone with the CLI", async () => {
  const { hub, ann, session } = await place();
  await ann.send("claude-shop", "one");
  await session.told("UserPromptSubmit");
  const folder = join(hub.home, "hooks");
  expect(readdirSync(folder)).toHaveLength(1);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const gone = once(session.child, "exit");
  session.child.kill("SIGKILL");
  await gone;
  const other = await startHookSession({ home: hub.home, cwd: join(hub.home, "shop") });
  await other.told("SessionStart");
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
