import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { promptOf, runtimeContract } from "../../../test/contract/runtime.js";
import { createRecordingHost, living, until } from "../../../test/fakes/runtime-host.js";
import { scriptedAcpLaunch } from "../../../test/fakes/scripted-launch.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import type { Launch } from "../runtime.js";
import { createAcpRuntime } from "./acp-runtime.js";

const timeout = 240_000;
const runtime = createAcpRuntime({ version: "0" });

runtimeContract("acp", () => ({
  runtime,
  evidence: "acp_prompt",
  launch: (overrides) => scriptedAcpLaunch(overrides),
  can: { permission: true, text: true, mcp: true },
}));

async function start(overrides: Partial<Launch> = {}, ...flags: string[]) {
  const host = createRecordingHost();
  const agent = await runtime.start(scriptedAcpLaunch(overrides, ...flags), host);
  onTestFinished(() => agent.stop({ graceMs: 0 }));
  return { agent, host, ask: (script: string) => agent.prompt(promptOf(script), host.listener) };
}

test("text, thoughts, tool calls, plans and cost are told as they come", { timeout }, async () => {
  const { host, ask } = await start();
  const end = await ask("!think hm !call in_progress !call completed !plan !usage 0.5 !usage 0.75 !say done");
  expect(host.parts).toEqual([
    { kind: "thought", text: "hm" },
    { kind: "tool", id: "call-2", title: "Read a file", act: "read", status: "running" },
    { kind: "tool", id: "call-2", title: "Read a file", act: "read", status: "done" },
    { kind: "plan", entries: [{ text: "Look", status: "in_progress" }] },
    { kind: "usage", usage: { costUsd: 0.5 } },
    { kind: "usage", usage: { costUsd: 0.25 } },
    { kind: "text", text: "done" },
  ]);
  expect(end).toEqual({
    stop: "end_turn",
    text: "done",
    context: { used: 10, size: 100 },
    usage: { costUsd: 0.75 },
    sessionUsage: { costUsd: 0.75 },
  });
  expect(await ask("!usage 1 !say x")).toMatchObject({
    usage: { costUsd: 0.25 },
    sessionUsage: { costUsd: 1 },
  });
});

test("what comes after a turn is output of no turn", { timeout }, async () => {
  const { host, ask } = await start();
  expect(await ask("!late !say now")).toMatchObject({ text: "now" });
  await until(() => host.text() === "nowlate");
});

test("an error of the model ends the turn with its sentence", { timeout }, async () => {
  const { ask } = await start();
  expect(await ask("!say so far !refuse")).toEqual({
    stop: "error",
    text: "so far",
    error: "Internal error: the model is overloaded",
  });
  expect(await ask("!say again")).toMatchObject({ stop: "end_turn", text: "again" });
});

test("noise, wrong ids and unknown updates are dropped", { timeout }, async () => {
  const { ask } = await start({}, "--greet-late");
  expect(await ask("!noise !say still here")).toMatchObject({ stop: "end_turn", text: "still here" });
  expect(await ask("!say and here")).toMatchObject({ stop: "end_turn", text: "and here" });
});

test("an endless line ends the agent, not the hub", { timeout }, async () => {
  const { agent, host, ask } = await start();
  await expect(ask("!huge !hang")).rejects.toMatchObject({ code: "AGENT_EXITED" });
  await until(() => host.exits.length === 1);
  expect(host.exits[0]?.stderr).toContain("a line of more than");
  expect(living([agent.pid ?? 0])).toEqual([]);
});

test("an agent that closes its output is ended", { timeout }, async () => {
  const { agent, host, ask } = await start();
  await expect(ask("!deaf !close-output !hang")).rejects.toMatchObject({ code: "AGENT_EXITED" });
  await until(() => host.exits.length === 1);
  expect(living([agent.pid ?? 0])).toEqual([]);
});

test("a crash is told with its code and the end of standard error", { timeout }, async () => {
  const { host, ask } = await start();
  await expect(ask("!exit 3")).rejects.toMatchObject({
    code: "AGENT_EXITED",
    details: { code: 3, signal: null, stderr: "the script says exit\n" },
  });
  await until(() => host.exits.length === 1);
  expect(host.exits).toEqual([{ code: 3, signal: null, stderr: "the script says exit\n" }]);
});

test("an agent that does not greet, or refuses a session, leaves nothing behind", { timeout }, async () => {
  const impatient = createAcpRuntime({ version: "0", startTimeoutMs: 300 });
  await expect(
    impatient.start(scriptedAcpLaunch({}, "--silent"), createRecordingHost()),
  ).rejects.toMatchObject({
    code: "START_TIMEOUT",
  });
  await expect(
    runtime.start(scriptedAcpLaunch({}, "--no-session"), createRecordingHost()),
  ).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringMatching(/not signed in.*An API key/) as unknown,
  });
  const launch = scriptedAcpLaunch();
  const dead = {
    ...launch,
    backend: { ...launch.backend, acp: ["/bin/sh", "-c", "echo no such flag >&2; exit 2"] },
  };
  await expect(runtime.start(dead, createRecordingHost())).rejects.toMatchObject({
    code: "AGENT_EXITED",
    details: { code: 2, stderr: "no such flag\n" },
  });
});

test("a session that cannot be taken up is started over, and it is said", { timeout }, async () => {
  for (const flags of [[], ["--no-load"]]) {
    const { agent, host, ask } = await start({ resume: "gone" }, ...flags);
    expect(agent.resumed).toBe(false);
    expect(host.sessions).not.toContain("gone");
    expect((await ask("!recall")).text).toBe("[]");
  }
});

test.each([[[]], [["--replay-late"]]])(
  "what is replayed at a resume is no output, and can be looked through %j",
  {
    timeout,
  },
  async (flags) => {
    const launch = scriptedAcpLaunch({}, ...flags);
    writeFileSync(
      join(launch.cwd, "s1.json"),
      JSON.stringify({ id: "s1", prompts: ["MSG_ANN_01234567: do it"] }),
    );
    const host = createRecordingHost();
    const agent = await runtime.start({ ...launch, resume: "s1" }, host);
    onTestFinished(() => agent.stop({ graceMs: 0 }));
    expect(agent.resumed).toBe(true);
    expect(agent.replayed).toContain("MSG_ANN_01234567");
    expect(await agent.prompt(promptOf("!say now"), host.listener)).toMatchObject({ text: "now" });
    expect(host.parts).toEqual([{ kind: "text", text: "now" }]);
  },
);

test("model and mode are chosen from what the agent offers", { timeout }, async () => {
  const launch = scriptedAcpLaunch();
  const backend = { ...launch.backend, mode: "plan" };
  const { ask } = await start({ ...launch, backend, model: "large one" });
  expect(JSON.parse((await ask("!settings")).text)).toEqual({ model: "large", mode: "plan" });
  await expect(runtime.start({ ...launch, model: "huge" }, createRecordingHost())).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: 'scripted has no model "huge"; it has small, large.',
  });
  await expect(
    runtime.start({ ...launch, backend: { ...backend, mode: "yolo" } }, createRecordingHost()),
  ).rejects.toMatchObject({ message: 'scripted has no mode "yolo"; it has default, plan.' });
});

test("files are served inside the project only", { timeout }, async () => {
  const cwd = tempFolder();
  const outside = tempFolder();
  writeFileSync(join(outside, "secret"), "canary");
  writeFileSync(join(cwd, "notes"), "inside");
  mkdirSync(join(cwd, "sub"));
  symlinkSync(outside, join(cwd, "way-out"));
  symlinkSync(join(outside, "new"), join(cwd, "nowhere"));
  const { ask } = await start(scriptedAcpLaunch({ cwd }));
  expect((await ask(`!read ${cwd}/notes`)).text).toBe("inside");
  expect((await ask(`!write ${cwd}/sub/deep/new`)).text).toBe("ok");
  expect(readFileSync(join(cwd, "sub/deep/new"), "utf8")).toBe("written");
  for (const path of [`${outside}/secret`, `${cwd}/way-out/secret`, `${cwd}/../x`, "notes", `${cwd}/sub`]) {
    expect((await ask(`!read ${path}`)).text).toMatch(/^refused/);
  }
  for (const path of [`${outside}/new`, `${cwd}/way-out/new`, `${cwd}/nowhere`, `${cwd}/way-out/a/b`]) {
    expect((await ask(`!write ${path}`)).text).toMatch(/^refused/);
  }
  expect(() => readFileSync(join(outside, "new"))).toThrow("ENOENT");
});

test("an agent that may do nothing has no files written for it", { timeout }, async () => {
  const launch = scriptedAcpLaunch();
  const { ask } = await start({ ...launch, backend: { ...launch.backend, permissions: "deny" } });
  expect((await ask(`!write ${launch.cwd}/x`)).text).toMatch(/may not write/);
});

test("a host that fails to answer a permission does not hold the turn", { timeout }, async () => {
  const { host, ask } = await start();
  host.answer = () => {
    throw new Error("the host fails");
  };
  expect((await ask("!permission")).stop).toBe("error");
  host.answer = () => ({ option: "never offered" });
  expect((await ask("!permission")).text).toBe("permission: cancelled");
});
