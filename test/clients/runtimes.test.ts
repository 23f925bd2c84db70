import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createAcpRuntime } from "../../src/runtime/acp/acp-runtime.js";
import type { Backend } from "../../src/runtime/backend.js";
import { buildBackends } from "../../src/runtime/backends/build-backends.js";
import { createHeadlessRuntime } from "../../src/runtime/headless/headless-runtime.js";
import { buildEnvironment, hostedMarker } from "../../src/runtime/process/environment.js";
import { listMarked } from "../../src/runtime/process/list-marked.js";
import type { Launch, Runtime } from "../../src/runtime/runtime.js";
import { createRecordingHost, until } from "../fakes/runtime-host.js";
import { type ScriptedModel, startScriptedModel } from "../fakes/scripted-model/scripted-model.js";
import type { Client, ClientWorld } from "./client.js";
import { clients } from "./clients.js";
import { installedProgram } from "./installed.js";

/*
 * The vendors' own CLIs under the runtimes that the hub drives them by: each gets Huddle's backend for it as it is built
 * in, a home of its own and the scripted model, and nothing else that a person would not have.
 */

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());

const runtimes: readonly Runtime[] = [createAcpRuntime({ version: "0" }), createHeadlessRuntime()];

let worlds = 0;
/** Whose requests are whose: a lane for each world. */
const laneOf = ({ name }: Client) => `${name}-${worlds}`;

function makeWorld(client: Client): ClientWorld {
  worlds += 1;
  const home = mkdtempSync(join(tmpdir(), "huddle-client-"));
  const cwd = join(home, "project");
  mkdirSync(cwd);
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const world = { home, cwd, modelUrl: model.laneUrl(laneOf(client)), mcp: {} };
  client.setUp(world);
  return world;
}

function launchOf(
  client: Client,
  runtime: Runtime,
  changes: Partial<Launch> = {},
  policy: Backend["permissions"] = "ask",
): Launch {
  const world = makeWorld(client);
  const built = buildBackends({
    [client.backend]: { env: client.headless(world, "").env, runtime: runtime.kind, permissions: policy },
  }).get(client.backend);
  if (built === undefined) throw new Error(`no backend ${client.backend}`);
  // As if they had been installed globally.
  const programs = client.programs.map((name) => dirname(installedProgram(name)));
  const path = [...programs, process.env["PATH"] ?? ""].join(delimiter);
  // What its own configuration would name, and a test cannot write into it without being Huddle.
  const backend = client.name === "droid" ? { ...built, args: ["-m", "custom:scripted-0"] } : built;
  const folder = join(world.home, "folder");
  mkdirSync(folder, { mode: 0o700 });
  const from = { PATH: path, HOME: world.home, LANG: "C.UTF-8", TERM: "xterm-256color" };
  return {
    agent: { id: `agent-${worlds}`, name: laneOf(client), team: "main" },
    backend,
    cwd: world.cwd,
    bridge: [
      process.execPath,
      resolve("test/fakes/scripted-agent/mcp-server.mjs"),
      "--identity",
      "/nowhere/x.json",
    ],
    env: buildEnvironment(from, backend, hostedMarker("clients", `agent-${worlds}`)),
    folder,
    ...changes,
  };
}

async function start(runtime: Runtime, launch: Launch) {
  const host = createRecordingHost();
  const agent = await runtime.start(launch, host);
  onTestFinished(() => agent.stop({ graceMs: 0 }));
  let turns = 0;
  const ask = (text: string) => {
    turns += 1;
    return agent.prompt({ turn: `t${turns}`, text, line: text, tag: "MSG_X_00000000" }, host.listener);
  };
  return { agent, host, ask };
}

/** A model that knows codex asks to leave its sandbox; the others ask before they write. */
function writing(client: Client, file: string): string {
  if (client.name !== "codex") return `<<write ${file} made>>`;
  const call = {
    cmd: `printf made > ${file}`,
    sandbox_permissions: "require_escalated",
    justification: "To write",
  };
  return `<<call exec_command ${JSON.stringify(call)}>>`;
}

const of = (launch: Launch) => async () => {
  const marker = launch.env["HUDDLE_HOSTED"];
  return (await listMarked("HUDDLE_HOSTED")).filter(({ value }) => value === marker);
};

describe.each(clients.map((client) => ({ name: client.name, client })))("$name", ({ client }) => {
  describe.each(runtimes.map((runtime) => ({ kind: runtime.kind, runtime })))(
    "$kind",
    ({ kind, runtime }) => {
      test("takes prompts in another folder, calls Huddle's tools unasked, remembers and leaves nothing running", async () => {
        const launch = launchOf(client, runtime);
        const { agent, host, ask } = await start(runtime, launch);
        const hello = await ask("<<say hello there>>");
        expect(hello).toMatchObject({ stop: "end_turn" });
        expect(hello.text).toContain("hello there");
        expect(host.log.indexOf("taken")).toBeLessThan(host.log.indexOf("responding"));

        await ask("<<call whoami {}>>");
        expect(host.requests).toEqual([]);
        expect(host.parts).toContainEqual(
          expect.objectContaining({
            kind: "tool",
            status: "done",
            title: expect.stringMatching(/whoami/) as unknown,
          }),
        );

        await agent.stop({ graceMs: 3000 });
        expect(await of(launch)()).toEqual([]);
        expect(host.exits).toEqual([]);
      });

      test("is interrupted mid-stream, remembers that turn, and is resumed after a restart", async () => {
        const launch = launchOf(client, runtime);
        const { agent, host, ask } = await start(runtime, launch);
        const turn = ask("The password is xyzzy. <<stream 300 50>>");
        // codex prints a message when it is whole.
        await until(() => host.log.includes("text") || model.requests.main(launch.agent.name).length > 0);
        await agent.interrupt();
        expect((await turn).stop).toBe("cancelled");
        expect((await ask("<<say after>>")).text).toContain("after");
        const seen = () =>
          JSON.stringify(model.requests.main(launch.agent.name).at(-1)?.body).includes("xyzzy");
        expect(seen()).toBe(true);
        const session = host.sessions.at(-1);
        await agent.stop({ graceMs: 3000 });

        const again = await start(runtime, { ...launch, resume: String(session) });
        expect((await again.ask("<<say back>>")).text).toContain("back");
        // gemini cannot load a session in the minute in which it was made; it begins anew then, and says so.
        if (client.name === "gemini" && kind === "acp") expect(again.agent.resumed).toBe(seen());
        else expect([again.agent.resumed, seen()]).toEqual([true, true]);
      });

      test.runIf(kind === "acp")("asks for permission, and does what is answered", async () => {
        const launch = launchOf(client, runtime);
        const { host, ask } = await start(runtime, launch);
        const file = join(launch.cwd, "made.txt");
        host.answer = ({ options }) => ({
          option: options.find(({ grants }) => grants === "deny")?.id ?? "",
        });
        await ask(writing(client, file));
        expect(host.requests.length, JSON.stringify(host.parts)).toBeGreaterThan(0);
        expect(JSON.stringify(host.requests[0])).toContain(basename(file));
        expect(existsSync(file)).toBe(false);
        host.answer = ({ options }) => ({
          option: options.find(({ grants }) => grants === "once")?.id ?? "",
        });
        await ask(writing(client, file));
        expect(readFileSync(file, "utf8")).toContain("made");
      });

      test.runIf(kind === "acp")("a permission that waits is cancelled with the turn", async () => {
        const launch = launchOf(client, runtime);
        const { agent, host, ask } = await start(runtime, launch);
        const turn = ask(writing(client, join(launch.cwd, "made.txt")));
        await until(() => host.requests.length > 0);
        await agent.interrupt();
        expect((await turn).stop).toBe("cancelled");
        expect(existsSync(join(launch.cwd, "made.txt"))).toBe(false);
        // gemini is given the cut prompt once more, so its script runs again.
        host.answer = ({ options }) => ({
          option: options.find(({ grants }) => grants === "deny")?.id ?? "",
        });
        expect((await ask("<<say after>>")).stop).not.toBe("error");
      });

      test.runIf(kind === "headless")("does nothing that it would have to ask about", async () => {
        const launch = launchOf(client, runtime);
        const { ask } = await start(runtime, launch);
        await ask(`<<write ${join(launch.cwd, "made.txt")} made>>`);
        expect(existsSync(join(launch.cwd, "made.txt"))).toBe(false);
      });

      test("an error of the model is told", async () => {
        const launch = launchOf(client, runtime);
        const { ask } = await start(runtime, launch);
        const end = await ask("<<error 400>>");
        expect(end.stop === "error" || /400|error/i.test(end.text)).toBe(true);
      });
    },
  );
});
