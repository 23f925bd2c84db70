import { chmodSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { buildBackends } from "./build-backends.js";
import { createChooseRuntime } from "./choose-runtime.js";

type Settings = Parameters<typeof buildBackends>[0];

/** A machine that has these programs and no others. */
function machineWith(
  programs: string[],
  { tmux = true, settings = {} }: { tmux?: boolean; settings?: Settings } = {},
) {
  const folder = tempFolder();
  for (const name of programs) {
    writeFileSync(join(folder, name), "#!/bin/sh\n");
    chmodSync(join(folder, name), 0o755);
  }
  const backends = buildBackends(settings);
  const choice = createChooseRuntime({ environment: () => ({ PATH: folder }), hasScreen: () => tmux });
  const claude = backends.get("claude-code");
  if (claude === undefined) throw new Error("not built");
  return { folder, claude, ...choice };
}

const adapter =
  "With npm i -g @agentclientprotocol/claude-agent-acp you could answer its permissions from here.";

test("with its adapter it is run over ACP", () => {
  const { choose, claude } = machineWith(["claude", "claude-agent-acp"]);
  expect(choose(claude)).toEqual({ runtime: "acp" });
});

test("without its adapter it is run in a pane, and the adapter is named", () => {
  const { choose, claude } = machineWith(["claude"]);
  expect(choose(claude)).toEqual({ runtime: "tmux", hint: adapter });
});

test("without tmux it is run headless", () => {
  const { choose, claude } = machineWith(["claude"], { tmux: false });
  expect(choose(claude)).toEqual({ runtime: "headless", hint: adapter });
});

test("what the person chose is not overridden", () => {
  const { choose, claude } = machineWith([], { settings: { "claude-code": { runtime: "acp" } } });
  expect(choose(claude)).toEqual({ runtime: "acp" });
});

test("without any of it, it is said how to get it", () => {
  const { choose, claude } = machineWith([]);
  expect(() => choose(claude)).toThrow(
    "claude is not installed. Install it with: npm i -g @anthropic-ai/claude-code",
  );
});

test("an adapter that ended as it started is passed over until another version is there", () => {
  const { folder, choose, failed, claude } = machineWith(["claude", "claude-agent-acp"]);
  failed(claude, "acp");
  expect(choose(claude)).toEqual({
    runtime: "tmux",
    hint: "claude-agent-acp ended as it started; with one that starts you could answer its permissions from here.",
  });
  utimesSync(join(folder, "claude-agent-acp"), 1, 1);
  expect(choose(claude)).toEqual({ runtime: "acp" });
});
