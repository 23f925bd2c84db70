import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { promptOf, runtimeContract } from "../../../test/contract/runtime.js";
import { createRecordingHost, living, until } from "../../../test/fakes/runtime-host.js";
import { scriptedHeadlessLaunch } from "../../../test/fakes/scripted-launch.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import type { Launch } from "../runtime.js";
import { createHeadlessRuntime } from "./headless-runtime.js";

const timeout = 240_000;
const runtime = createHeadlessRuntime();

runtimeContract("headless", () => ({
  runtime,
  evidence: "process_started",
  launch: scriptedHeadlessLaunch,
  can: { permission: true, text: true, mcp: true },
}));

async function start(overrides: Partial<Launch> = {}) {
  const host = createRecordingHost();
  const launch = scriptedHeadlessLaunch(overrides);
  const agent = await runtime.start(launch, host);
  onTestFinished(() => agent.stop({ graceMs: 0 }));
  return { agent, host, launch, ask: (script: string) => agent.prompt(promptOf(script), host.listener) };
}

test("a process runs only during a turn, and each turn resumes the session of the one before", {
  timeout,
}, async () => {
  const { agent, host, ask } = await start();
  expect(agent.pid).toBeUndefined();
  const gate = join(tempFolder(), "gate");
  const turn = ask(`!say one !gate ${gate}`);
  await until(() => agent.pid !== undefined);
  writeFileSync(gate, "");
  expect(await turn).toMatchObject({
    stop: "end_turn",
    usage: { inputTokens: 10, outputTokens: 2 },
    sessionUsage: { costUsd: 0.5 },
  });
  expect(agent.pid).toBeUndefined();
  expect((await ask("!recall")).text).toContain("!say one");
  expect(host.sessions).toHaveLength(1);
});

test("what it is told is in files that only the person can read", { timeout }, async () => {
  const { launch, ask } = await start({ model: "large" });
  const settings = JSON.parse((await ask("!settings")).text) as Record<string, unknown>;
  const file = join(launch.folder, "claude-mcp.json");
  expect(settings).toMatchObject({ "permission-mode": "default", "mcp-config": file, model: "large" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a session that the vendor lost is started over, and it is said", { timeout }, async () => {
  const { agent, host, ask } = await start({ resume: "gone" });
  expect(agent.resumed).toBe(true);
  expect((await ask("!recall")).text).toBe("[]");
  expect(agent.resumed).toBe(false);
  expect(host.taken).toHaveLength(1);
  expect(host.exits).toEqual([]);
});

test("who lost its session is given the whole of what it was only told to go on with", {
  timeout,
}, async () => {
  const { agent, host } = await start({ resume: "gone" });
  const prompt = { turn: "t", text: "!say go on", anew: "!say the whole", line: "", tag: "" };
  expect((await agent.prompt(prompt, host.listener)).text).toBe("the whole");
  expect((await agent.prompt(prompt, host.listener)).text).toBe("go on");
});

test("an error of the model ends the turn with its sentence", { timeout }, async () => {
  const { ask } = await start();
  expect(await ask("!say so far !refuse")).toEqual({
    stop: "error",
    text: "so far",
    error: "the model is overloaded",
  });
  expect(await ask("!say again")).toMatchObject({ stop: "end_turn", text: "again" });
});

test("a CLI that ends well without a result and without a word of its own has done nothing", {
  timeout,
}, async () => {
  const file = join(tempFolder(), "cli");
  writeFileSync(file, "#!/bin/sh\nread prompt\necho Welcome to version 9!\n", { mode: 0o755 });
  const { backend } = scriptedHeadlessLaunch();
  const { host, ask } = await start({ backend: { ...backend, command: file } });
  expect(await ask("!say hello")).toEqual({
    stop: "error",
    text: "",
    error: "it ended without a result: Welcome to version 9!",
  });
  expect(host.exits).toEqual([]);
});

test("noise is dropped, an endless line ends the turn", { timeout }, async () => {
  const { host, ask } = await start();
  expect(await ask("!noise !say still here")).toMatchObject({ stop: "end_turn", text: "still here" });
  await expect(ask("!huge !hang")).rejects.toMatchObject({ code: "AGENT_EXITED" });
  expect(host.exits[0]?.stderr).toContain("a line of more than");
});

test("an interruption ends what the turn began", { timeout }, async () => {
  const { agent, host, ask } = await start();
  const turn = ask("!deaf !family !hang");
  const family = /family: (\[.*?\])/;
  await until(() => family.test(host.text()));
  const pids = JSON.parse(family.exec(host.text())?.[1] ?? "[]") as number[];
  await agent.interrupt();
  expect((await turn).stop).toBe("cancelled");
  expect(living(pids)).toEqual([]);
  expect((await ask("!say next")).text).toBe("next");
});

test("an interruption after the result ends the process, and the turn is as finished as it was", {
  timeout,
}, async () => {
  const { agent, host, ask } = await start();
  const turn = ask("!linger !say all done");
  await until(() => host.text().includes("lingers"));
  await agent.interrupt();
  expect(await turn).toMatchObject({
    stop: "end_turn",
    text: expect.stringContaining("all done") as unknown,
    usage: { inputTokens: 10, outputTokens: 2 },
  });
  expect((await ask("!say next")).text).toBe("next");
});

test("an interruption before the process is there counts", { timeout }, async () => {
  const { agent, ask } = await start();
  const turn = ask("!stream 100000");
  await agent.interrupt();
  expect((await turn).stop).toBe("cancelled");
});

test("a backend that is like none has no headless form", async () => {
  const { backend, ...launch } = scriptedHeadlessLaunch();
  const { vendor: _, ...unknown } = backend;
  await expect(runtime.start({ ...launch, backend: unknown }, createRecordingHost())).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringContaining("backends.scripted.like") as unknown,
  });
});
