import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { clientsFolder } from "../../scripts/client-programs.mjs";
import { buildBackends } from "../../src/runtime/backends/build-backends.js";
import type { Launch, Prompt } from "../../src/runtime/runtime.js";
import { adoptPane } from "../../src/runtime/tmux/adopt-pane.js";
import { createTmuxRuntime } from "../../src/runtime/tmux/tmux-runtime.js";
import { createRecordingHost, living, until } from "../fakes/runtime-host.js";
import { startScriptedModel } from "../fakes/scripted-model/scripted-model.js";
import { testSocket, tmux } from "../fakes/scripted-pane.js";
import type { Client, ClientWorld } from "./client.js";
import { clients } from "./clients.js";
import { installedProgram } from "./installed.js";
import { cleanEnvironment } from "./run-client.js";

/*
 * The vendors' own screens in real panes, driven as the hub drives them. The scripted model says what reached it, so a
 * delivery that only looked delivered fails here.
 */

let count = 0;
function message(text: string): Prompt {
  count += 1;
  const tag = `MSG_TEST_${count.toString(16).padStart(8, "0")}`;
  return { turn: tag, text, line: `${tag}: ${text}`, tag };
}

async function open(client: Client, size?: { width: number; height: number }) {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  // Not below a folder that everybody may write to: gemini reads no configuration there.
  const folder = mkdtempSync(join(clientsFolder(), "world-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const world: ClientWorld = {
    home: join(folder, "home"),
    cwd: join(folder, "project"),
    modelUrl: model.url,
    mcp: {},
  };
  for (const path of [world.home, world.cwd, join(folder, "private")]) mkdirSync(path);
  client.setUp(world);
  const backend = buildBackends({
    [client.backend]: { command: installedProgram(client.name), runtime: "tmux" },
  }).get(client.backend);
  if (backend === undefined) throw new Error(`no backend ${client.backend}`);
  const launch: Launch = {
    agent: { id: `id-${client.name}`, name: client.name, team: "main" },
    backend,
    cwd: world.cwd,
    bridge: [process.execPath, resolve("test/fakes/scripted-agent/mcp-server.mjs"), "--identity", "/nowhere"],
    env: { ...cleanEnvironment(world, client.tui(world)), HUDDLE_HOSTED: "hub:test" },
    folder: join(folder, "private"),
  };
  const socket = testSocket();
  const runtime = createTmuxRuntime({ socket, ...(size === undefined ? {} : { size }) });
  const host = createRecordingHost();
  const agent = await runtime.start(launch, host);
  onTestFinished(() => agent.stop({ graceMs: 0 }));
  const pane = () => tmux(socket, "capture-pane", "-p", "-t", `=agent-main-${client.name}:`);
  return { model, world, launch, socket, runtime, host, agent, pane };
}

describe.each(clients.map((client) => [client.name, client] as const))("%s in a pane", (_, client) => {
  test("takes messages one after the other, each once, and is left without a process", async () => {
    const { model, agent, host, pane } = await open(client, { width: 100, height: 30 });
    const prompts = Array.from({ length: 8 }, (__, n) => message(`<<say answer number ${n}>>`));
    for (const prompt of prompts) {
      const end = await agent.prompt(prompt, host.listener);
      expect(end).toMatchObject({ stop: "end_turn" });
    }
    expect(prompts.map(({ tag }) => model.requests.timesShown(tag))).toEqual(prompts.map(() => 1));
    expect(host.text()).toContain("answer number 7");
    expect(host.log.filter((word) => word === "taken")).toHaveLength(8);
    expect(host.log.filter((word) => word === "responding")).toHaveLength(8);
    expect(pane()).toContain("answer number 7");
    await agent.stop({ graceMs: 1000 });
    expect(living([agent.pid ?? 0])).toEqual([]);
    expect(host.exits).toEqual([]);
  });

  // droid asks the person about them on its screen.
  test.skipIf(client.name === "droid")("reaches Huddle's tools", async () => {
    const { model, agent, host } = await open(client);
    await agent.prompt(message("<<call whoami {}>>"), host.listener);
    await model.requests.waitFor("the result of the tool", ({ conversation }) =>
      JSON.stringify(conversation).includes("I am --identity"),
    );
  });

  test("is interrupted in the middle, and then takes the next message", async () => {
    const { model, agent, host } = await open(client, { width: 80, height: 24 });
    const cut = agent.prompt(message("<<stream 400 100>>"), host.listener);
    // droid shows its words only at the end.
    await until(() => host.log.includes(client.name === "droid" ? "taken" : "responding"));
    await agent.interrupt();
    expect((await cut).stop).toBe("cancelled");
    const next = message("<<say back again>>");
    expect((await agent.prompt(next, host.listener)).stop).toBe("end_turn");
    expect(model.requests.timesShown(next.tag)).toBe(1);
  });

  test("holds while the person has a draft, and never sends it", async () => {
    const { model, agent, host, socket, pane } = await open(client);
    const session = `=agent-main-${client.name}:`;
    tmux(socket, "send-keys", "-t", session, "-l", "half a thought");
    await until(() => pane().includes("half a thought"));
    const waits: unknown[] = [];
    host.waiting = (on) => void waits.push(on?.on);
    const prompt = message("<<say hello>>");
    await expect(agent.prompt(prompt, host.listener)).rejects.toMatchObject({ code: "HELD" });
    expect(waits).toContain("draft");
    expect(pane()).toContain("half a thought");
    tmux(socket, "send-keys", "-t", session, client.name === "claude" ? "C-u" : "C-c");
    await until(() => waits.at(-1) === undefined);
    expect((await agent.prompt(prompt, host.listener)).stop).toBe("end_turn");
    expect(model.requests.timesShown(prompt.tag)).toBe(1);
    expect(model.requests.timesShown("half a thought")).toBe(0);
  });

  test("is taken up again by another hub, and adopted by its target", async () => {
    const { model, agent, host, launch, socket, runtime } = await open(client);
    await agent.prompt(message("<<say one>>"), host.listener);
    const again = await runtime.start(launch, host);
    expect(again).toMatchObject({ resumed: true, pid: agent.pid });
    await again.prompt(message("<<say two>>"), host.listener);
    const adopted = await adoptPane({ target: `agent-main-${client.name}`, socket, host });
    expect(adopted.pane.cli).toBe(client.name);
    const third = message("<<say three>>");
    await adopted.prompt(third, host.listener);
    await adopted.stop({ graceMs: 0 });
    expect(living([agent.pid ?? 0])).toHaveLength(1);
    expect(model.requests.timesShown(third.tag)).toBe(1);
  });
});
