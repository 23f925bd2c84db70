import { chmodSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import type { RuntimeKind } from "../backend.js";
import { buildBackends } from "./build-backends.js";
import { createChooseRuntime } from "./choose-runtime.js";
import { createKnownRuntimes } from "./known-runtimes.js";

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
  const file = join(folder, "runtimes.json");
  const openKnown = () =>
    createKnownRuntimes(file, (error) => {
      throw error;
    });
  const open = () =>
    createChooseRuntime({
      environment: () => ({ PATH: folder }),
      hasScreen: () => tmux,
      known: openKnown(),
    });
  /** As `huddle selftest` does, in a process of its own. */
  const selftest = (runtime: RuntimeKind, program: string, fails: string[]) =>
    openKnown().noteSelftest(
      { backend: "claude-code", runtime, program: join(folder, program) },
      { fails, version: "2.1.325", at: "2026-11-18T07:00:00.000Z" },
    );
  const claude = backends.get("claude-code");
  if (claude === undefined) throw new Error("not built");
  return { folder, file, claude, open, selftest, ...open() };
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

test.each([
  "",
  "{",
  "null",
  "[1]",
  '{"claude-code acp": 7}',
  '{"claude-code acp": {"program": 1, "broken": true}}',
])("a damaged file is no file: %s", (text) => {
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

test("what failed its self-test is passed over by a hub that runs already, until another version is there", () => {
  const { folder, choose, claude, selftest } = machineWith(["claude", "claude-agent-acp"]);
  expect(choose(claude)).toMatchObject({ runtime: "acp" });

  selftest("acp", "claude-agent-acp", ["interrupt", "resume"]);
  expect(choose(claude)).toEqual({
    runtime: "tmux",
    reason: "claude-agent-acp failed the self-test (interrupt, resume)",
    chosen: true,
    hint: "claude-agent-acp failed the self-test (interrupt, resume). After an update, try it again: huddle selftest claude-code",
  });

  selftest("tmux", "claude", ["queue"]);
  expect(choose(claude)).toMatchObject({
    runtime: "headless",
    reason:
      "claude-agent-acp failed the self-test (interrupt, resume), and its screen failed the self-test (queue)",
  });

  utimesSync(join(folder, "claude-agent-acp"), 1, 1);
  expect(choose(claude)).toMatchObject({ runtime: "acp", reason: "preferred" });
});

test("when every way failed the self-test, the usual one is taken, and that is said", () => {
  const { choose, claude, selftest } = machineWith(["claude", "claude-agent-acp"]);
  selftest("acp", "claude-agent-acp", ["resume"]);
  selftest("tmux", "claude", ["resume"]);
  selftest("headless", "claude", ["resume"]);
  expect(choose(claude)).toEqual({ runtime: "acp", reason: "every way failed the self-test", chosen: true });
});

test("a self-test that passed takes back one that failed, and what ended as it started", () => {
  const { choose, failed, claude, selftest } = machineWith(["claude", "claude-agent-acp"]);
  selftest("acp", "claude-agent-acp", ["resume"]);
  failed(claude, "acp");
  expect(choose(claude)).toMatchObject({ reason: "claude-agent-acp ended as it started" });
  selftest("acp", "claude-agent-acp", []);
  expect(choose(claude)).toMatchObject({ runtime: "acp", reason: "preferred" });
});

test("that it starts does not take back that it failed its self-test", () => {
  const { open, failed, claude, selftest } = machineWith(["claude", "claude-agent-acp"]);
  selftest("acp", "claude-agent-acp", ["resume"]);
  failed(claude, "acp");
  open().started(claude, "acp");
  expect(open().choose(claude)).toMatchObject({ reason: "claude-agent-acp failed the self-test (resume)" });
});
