import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Prompt } from "../../src/runtime/runtime.js";
import { adoptPane } from "../../src/runtime/tmux/adopt-pane.js";
import { defaultPaneTimes } from "../../src/runtime/tmux/pane.js";
import { createTmuxRuntime } from "../../src/runtime/tmux/tmux-runtime.js";
import { startScriptedModel } from "../../src/selftest/scripted-model/scripted-model.js";
import { createRecordingHost, living } from "../fakes/runtime-host.js";
import { tmux } from "../fakes/scripted-pane.js";
import type { Client } from "./client.js";
import { eventually } from "./eventually.js";
import { prepareLaunch } from "./prepare-launch.js";
import { clientTemp } from "./run-client.js";
import { describeVendor, wholeMatrix } from "./sets.js";
import { shared } from "./shared.js";

/*
 * A vendor's own screen in a real pane, driven as the hub drives it. The scripted model says what reached it, so a
 * delivery that only looked delivered fails here. One pane for all tests, in the sizes that people have.
 */

/** When the vendor's own service refuses the account. */
const LIMIT_SECONDS = 11_520;

let count = 0;
function message(text: string): Prompt {
  count += 1;
  const tag = `MSG_TEST_${count.toString(16).padStart(8, "0")}`;
  return { turn: tag, text, line: `${tag}: ${text}`, tag };
}

/** What others would stumble over: sockets, and locks that name who has them. An empty lock is free once its process is gone. */
function leavings(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return leavings(path);
    const isLock = entry.isFile() && /\.(?:lock|pid)$/.test(entry.name) && statSync(path).size > 0;
    return entry.isSocket() || isLock ? [path] : [];
  });
}

async function openPane(client: Client, onClose: (closing: () => Promise<unknown>) => void) {
  const model = await startScriptedModel();
  onClose(model.close);
  const launch = prepareLaunch(client, "tmux", model);
  const socket = `huddle-test-${launch.agent.id}`;
  const session = `=agent-main-${launch.agent.name}:`;
  // On a busy machine a screen may take longer than a person would wait for it.
  const times = { ...defaultPaneTimes, timeoutMs: 20_000, readyTimeoutMs: 120_000, startTimeoutMs: 120_000 };
  const runtime = createTmuxRuntime({ socket, times });
  const host = createRecordingHost();
  onClose(async () => tmux(socket, "kill-server"));
  const agent = await runtime.start(launch, host);
  onClose(() => agent.stop({ graceMs: 0 }));
  const pane = () => tmux(socket, "capture-pane", "-p", "-t", session);
  return {
    model,
    launch,
    socket,
    times,
    runtime,
    host,
    agent,
    pane,
    keys: (...keys: string[]) => void tmux(socket, "send-keys", "-t", session, ...keys),
    /** Some draw all of it again, in their time. */
    async resize(x: number, y: number) {
      tmux(socket, "resize-window", "-t", session, "-x", `${x}`, "-y", `${y}`);
      let [last, looks] = ["", 0];
      await eventually("the screen stands still", () => {
        const now = pane();
        looks = now === last ? looks + 1 : 0;
        last = now;
        return looks >= 10;
      });
    },
  };
}

describeVendor((client) => {
  const open = shared((onClose) => openPane(client, onClose));
  const messages = wholeMatrix ? 8 : 3;

  test("takes messages one after the other, each once", async () => {
    const { model, agent, host, pane, resize } = await open();
    await resize(100, 30);
    const prompts = Array.from({ length: messages }, (__, n) => message(`<<say answer number ${n}>>`));
    for (const prompt of prompts) {
      const end = await agent.prompt(prompt, host.listener);
      expect(end).toMatchObject({ stop: "end_turn" });
    }
    expect(prompts.map(({ tag }) => model.requests.timesShown(tag))).toEqual(prompts.map(() => 1));
    expect(host.text()).toContain(`answer number ${messages - 1}`);
    expect(host.log.filter((word) => word === "taken")).toHaveLength(messages);
    expect(host.log.filter((word) => word === "responding")).toHaveLength(messages);
    expect(pane()).toContain(`answer number ${messages - 1}`);
  });

  test("reaches Huddle's tools", async () => {
    const { model, agent, host } = await open();
    await agent.prompt(message("<<call whoami {}>> <<say done>>"), host.listener);
    await model.requests.waitFor("the result of the tool", ({ conversation }) =>
      JSON.stringify(conversation).includes("I am --identity"),
    );
  });

  test("is interrupted in the middle, and then takes the next message", async () => {
    const { model, agent, host, resize } = await open();
    await resize(80, 24);
    host.log.length = 0;
    const cut = agent.prompt(message("<<stream 100 400>>"), host.listener);
    cut.catch(() => {}); // It is awaited below, when it began.
    // droid shows its words only at the end.
    const begun = client.name === "droid" ? "taken" : "responding";
    await eventually(`it has ${begun}`, () => host.log.includes(begun));
    await agent.interrupt();
    expect((await cut).stop).toBe("cancelled");
    const next = message("<<say back again>>");
    expect((await agent.prompt(next, host.listener)).stop).toBe("end_turn");
    expect(model.requests.timesShown(next.tag)).toBe(1);
  });

  test("holds while the person has a draft, and never sends it", async () => {
    const { model, agent, host, pane, keys, resize } = await open();
    await resize(160, 50);
    keys("-l", "half a thought");
    await eventually("the draft shows", () => pane().includes("half a thought"));
    const waits: unknown[] = [];
    host.waiting = (on) => void waits.push(on?.on);
    const prompt = message("<<say hello>>");
    await expect(agent.prompt(prompt, host.listener)).rejects.toMatchObject({ code: "HELD" });
    expect(waits).toContain("draft");
    expect(pane()).toContain("half a thought");
    keys(client.name === "claude" ? "C-u" : "C-c");
    await eventually("the draft is gone", () => waits.at(-1) === undefined);
    expect((await agent.prompt(prompt, host.listener)).stop).toBe("end_turn");
    expect(model.requests.timesShown(prompt.tag)).toBe(1);
    expect(model.requests.timesShown("half a thought")).toBe(0);
  });

  function stopsAtLimit() {
    test("at its vendor's usage limit a turn ends as one, also where the CLI asks whether to try on", async () => {
      const { model, agent, host, pane } = await open();
      const words: (string | undefined)[] = [];
      // The second time it asks.
      for (let n = 0; n < 2; n += 1) {
        const prompt = message(`<<limit ${LIMIT_SECONDS}>>`);
        const end = await agent.prompt(prompt, host.listener);
        expect(end).toMatchObject({ stop: "error", limit: { words: expect.any(String) as unknown } });
        words.push(end.limit?.words);
      }
      expect(words.at(-1), pane()).toMatch(/^Usage limit reached for /);
      expect(host.requests).toEqual([]);
      const next = message("<<say through again>>");
      expect(await agent.prompt(next, host.listener), pane()).toMatchObject({ stop: "end_turn" });
      expect(model.requests.timesShown(next.tag)).toBe(1);
    });
  }
  if (client.name === "gemini") stopsAtLimit();

  test("is taken up again by another hub, adopted by its target, and ended without a process, socket or lock left", async () => {
    const { model, agent, host, launch, socket, times, runtime } = await open();
    await agent.prompt(message("<<say one>>"), host.listener);
    const other = createRecordingHost();
    const again = await runtime.start(launch, other);
    expect(again).toMatchObject({ resumed: true, pid: agent.pid });
    await again.prompt(message("<<say two>>"), other.listener);
    const adopted = await adoptPane({ target: `agent-main-${launch.agent.name}`, socket, host, times });
    expect(adopted.pane.cli).toBe(client.name);
    const third = message("<<say three>>");
    await adopted.prompt(third, host.listener);
    await adopted.stop({ graceMs: 0 });
    expect(living([agent.pid ?? 0])).toHaveLength(1);
    expect(model.requests.timesShown(third.tag)).toBe(1);

    const folders = [launch.env["HOME"] ?? "", clientTemp()];
    // These two have some while they run: the test would otherwise look in the wrong place.
    if (client.name === "qwen" || client.name === "claude") expect(folders.flatMap(leavings)).not.toEqual([]);
    await again.stop({ graceMs: 0 });
    expect(living([agent.pid ?? 0])).toEqual([]);
    expect(folders.flatMap(leavings)).toEqual([]);
    // Whoever ends it is not told that it ended; the first hub may be.
    expect(other.exits).toEqual([]);
  });
});
