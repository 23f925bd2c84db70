import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { adoptPane } from "../../src/runtime/tmux/adopt-pane.js";
import { defaultPaneTimes } from "../../src/runtime/tmux/pane.js";
import { createTmuxRuntime } from "../../src/runtime/tmux/tmux-runtime.js";
import { startScriptedModel } from "../../src/selftest/scripted-model/scripted-model.js";
import { call, say } from "../../src/selftest/scripted-model/step.js";
import { createRecordingHost } from "../fakes/runtime-host.js";
import { tmux } from "../fakes/scripted-pane.js";
import type { ClientName } from "./client.js";
import { eventually } from "./eventually.js";
import { prepareLaunch } from "./prepare-launch.js";
import { describeVendor } from "./sets.js";
import { shared } from "./shared.js";

/* Mail longer than a line, for a CLI that has none of Huddle's tools: each reads the file without asking its person. */

/** How a model reads a file with each of them. */
const reads: Readonly<Record<ClientName, (path: string) => [string, Record<string, string>]>> = {
  claude: (path) => ["Read", { file_path: path }],
  codex: (path) => ["exec_command", { cmd: `cat ${path}` }],
  gemini: (path) => ["read_file", { file_path: path }],
  qwen: (path) => ["read_file", { file_path: path }],
  droid: (path) => ["Read", { file_path: path }],
  opencode: (path) => ["read", { filePath: path }],
  copilot: (path) => ["view", { path }],
};

describeVendor((client) => {
  const open = shared(async (onClose) => {
    const model = await startScriptedModel();
    onClose(model.close);
    const launch = prepareLaunch(client, "tmux", model);
    // A project under git, where what is ignored is ignored.
    mkdirSync(join(launch.cwd, ".git"));
    const socket = `huddle-test-${launch.agent.id}`;
    onClose(async () => tmux(socket, "kill-server"));
    const times = {
      ...defaultPaneTimes,
      timeoutMs: 20_000,
      readyTimeoutMs: 120_000,
      startTimeoutMs: 120_000,
    };
    const started = await createTmuxRuntime({ socket, times }).start(launch, createRecordingHost());
    onClose(() => started.stop({ graceMs: 0 }));
    const host = createRecordingHost();
    const target = `agent-main-${launch.agent.name}`;
    const agent = await adoptPane({ target, socket, host, times, cli: client.name });
    return { launch, model, host, agent };
  });

  test("long mail is read from the file that the line names, and the file goes with the turn", async () => {
    const { launch, model, host, agent } = await open();
    const path = join(launch.cwd, ".huddle", "mail-0000beef.txt");
    model.on(/read the file \.huddle/, [call(...reads[client.name](path)), say("I have read it.")]);
    const words = `the words of the mail ${"and more ".repeat(40)}`.trim();
    const tag = "MSG_TEST_0000beef";
    const line = `${tag}: a message is for you; read the file .huddle/mail-0000beef.txt`;

    const end = await agent.prompt(
      { turn: "t", text: words, line, tag, file: "mail-0000beef.txt" },
      host.listener,
    );

    expect(end.stop).toBe("end_turn");
    await eventually("the model has the words", () => model.requests.timesShown(words) === 1);
    await eventually("the file is gone", () => !existsSync(join(launch.cwd, ".huddle")));
  });
});
