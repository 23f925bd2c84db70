import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defaultPaneTimes } from "../../src/runtime/tmux/pane.js";
import { createTmuxRuntime } from "../../src/runtime/tmux/tmux-runtime.js";
import { startScriptedModel } from "../../src/selftest/scripted-model/scripted-model.js";
import { createRecordingHost, living } from "../fakes/runtime-host.js";
import { tmux } from "../fakes/scripted-pane.js";
import { prepareLaunch } from "./prepare-launch.js";
import { clientTemp } from "./run-client.js";
import { describeVendor } from "./sets.js";
import { shared } from "./shared.js";

/** What others would stumble over: sockets, and locks that name who has them. An empty lock is free once its process is gone. */
function leavings(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return leavings(path);
    const isLock = entry.isFile() && /\.(?:lock|pid)$/.test(entry.name) && statSync(path).size > 0;
    return entry.isSocket() || isLock ? [path] : [];
  });
}

describeVendor((client) => {
  const open = shared(async (onClose) => {
    const model = await startScriptedModel();
    onClose(model.close);
    const launch = prepareLaunch(client, "tmux", model);
    const socket = `huddle-test-${launch.agent.id}`;
    onClose(async () => tmux(socket, "kill-server"));
    const times = { ...defaultPaneTimes, timeoutMs: 20_000, readyTimeoutMs: 120_000 };
    return { launch, runtime: createTmuxRuntime({ socket, times }) };
  });

  test("killed at its screen, it leaves no socket and no lock", async () => {
    const { launch, runtime } = await open();
    const host = createRecordingHost();
    const agent = await runtime.start(launch, host);
    const prompt = {
      turn: "t",
      text: "",
      line: "MSG_TEST_0000dead: <<say hello>>",
      tag: "MSG_TEST_0000dead",
    };
    expect((await agent.prompt(prompt, host.listener)).stop).toBe("end_turn");
    const folders = [launch.env["HOME"] ?? "", clientTemp()];
    // These two have some while they run: the test would otherwise look in the wrong place.
    if (client.name === "qwen" || client.name === "claude") expect(folders.flatMap(leavings)).not.toEqual([]);
    await agent.stop({ graceMs: 0 });
    expect(living([agent.pid ?? 0])).toEqual([]);
    expect(folders.flatMap(leavings)).toEqual([]);
  });
});
