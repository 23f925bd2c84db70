import { chmodSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { createBrokenPrograms } from "./broken-programs.js";
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
  const file = join(folder, "broken-programs.json");
  const open = () =>
    createChooseRuntime({
      environment: () => ({ PATH: folder }),
      hasScreen: () => tmux,
      broken: createBrokenPrograms(file, (error) => {
        throw error;
      }),
    });
  const claude = backends.get("claude-code");
  if (claude === undefined) throw new Error("not built");
  return { folder, file, claude, open, ...open() };
}

const adapter =
  "With npm i -g @agentclientprotocol/claude-agent-acp Huddle need not read its screen: every permission, also of a newer version, can be answered from here.";

test("with its adapter it is run over ACP", () => {
  const { choose, claude } = machineWith(["claude", "claude-agent-acp"]);
  expect(choose(claude)).toEqual({ runtime: "acp", reason: "preferred", chosen: true });
});

test("without its adapter it is run in a pane, and the adapter is named", () => {
  const { choose, claude } = machineWith(["claude"]);
  expect(choose(claude)).toEqual({
    runtime: "tmux",
    reason: "claude-agent-acp is not installed",
    chosen: true,
    hint: adapter,
  });
});

test("without tmux it is run headless", () => {
  const { choose, claude } = machineWith(["claude"], { tmux: false });
  expect(choose(claude)).toEqual({
    runtime: "headless",
    reason: "claude-agent-acp is not installed, and no tmux",
    chosen: true,
    hint: adapter,
  });
});

test("what the person chose is not overridden", () => {
  const { choose, claude } = machineWith([], { settings: { "claude-code": { runtime: "acp" } } });
  expect(choose(claude)).toEqual({ runtime: "acp", reason: "set in huddle.yaml" });
});

test("without any of it, it is said how to get it", () => {
  const { choose, claude } = machineWith([]);
  expect(() => choose(claude)).toThrow(
    "claude is not installed. Install it with: npm i -g @anthropic-ai/claude-code",
  );
});

test("what is asked for is never replaced, and its lack is said", () => {
  const { choose, claude } = machineWith(["claude"]);
  expect(choose(claude, "headless")).toEqual({ runtime: "headless", reason: "asked for" });
  expect(() => choose(claude, "acp")).toThrow(
    "claude-agent-acp is not installed. Install it with: npm i -g @agentclientprotocol/claude-agent-acp",
  );
});

test("an adapter that ended as it started is passed over until another version is there", () => {
  const { folder, choose, failed, claude } = machineWith(["claude", "claude-agent-acp"]);
  const instead = {
    runtime: "tmux",
    reason: "claude-agent-acp ended as it started",
    chosen: true,
    hint: "claude-agent-acp ended as it started; with one that starts Huddle need not read its screen.",
  };
  expect(failed(claude, "acp")).toEqual(instead);
  expect(choose(claude)).toEqual(instead);
  utimesSync(join(folder, "claude-agent-acp"), 1, 1);
  expect(choose(claude)).toMatchObject({ runtime: "acp" });
});

test("that is known after a restart, in a private file, until it is seen to start", () => {
  const { open, file, failed, claude } = machineWith(["claude", "claude-agent-acp"]);
  failed(claude, "acp");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const later = open();
  expect(later.choose(claude)).toMatchObject({ runtime: "tmux" });
  later.started(claude, "acp");
  expect(open().choose(claude)).toMatchObject({ runtime: "acp" });
});

test.each(["", "{", "null", "[1]", '{"claude-code acp": 7}'])("a damaged file is no file: %s", (text) => {
  const { open, file, claude } = machineWith(["claude", "claude-agent-acp"]);
  writeFileSync(file, text);
  const { choose, failed } = open();
  expect(choose(claude)).toMatchObject({ runtime: "acp" });
  expect(failed(claude, "acp")).toMatchObject({ runtime: "tmux" });
  expect(open().choose(claude)).toMatchObject({ runtime: "tmux" });
});

test("a CLI that ends in its pane is not run blindly instead, nor one over ACP that the person chose", () => {
  const { choose, failed, claude } = machineWith(["claude"]);
  expect(failed(claude, "tmux")).toBeUndefined();
  expect(choose(claude)).toMatchObject({ runtime: "tmux" });
  const set = machineWith(["claude", "claude-agent-acp"], {
    settings: { "claude-code": { runtime: "acp" } },
  });
  expect(set.failed(set.claude, "acp")).toBeUndefined();
});
