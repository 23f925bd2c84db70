import { expect, test } from "vitest";
import type { Backend } from "../backend.js";
import { buildBackends } from "./build-backends.js";
import { readVersion } from "./find-versions.js";
import { installCommand, surveyBackend } from "./survey-backend.js";

const backends = buildBackends({ mine: { command: "my-cli" } });

function survey(name: string, installed: readonly string[], broken: readonly string[] = []) {
  const backend = backends.get(name) as Backend;
  const rows = surveyBackend(backend, {
    find: (command) => (installed.includes(command) ? `/bin/${command}` : undefined),
    isBroken: (program) => broken.includes(program),
    selftest: () => undefined,
  });
  return Object.fromEntries(
    rows.map(({ runtime, works, reason, install }) => [runtime, works ? "works" : { reason, install }]),
  );
}

test("with everything installed every way works", () => {
  expect(survey("claude-code", ["claude", "claude-agent-acp", "tmux"])).toEqual({
    acp: "works",
    headless: "works",
    tmux: "works",
  });
});

test("each thing that is missing is named, with the command that brings it", () => {
  const install = "npm i -g @agentclientprotocol/claude-agent-acp";
  expect(survey("claude-code", ["claude"])).toEqual({
    acp: { reason: "claude-agent-acp is not installed", install },
    headless: "works",
    tmux: { reason: "tmux is not installed", install: null },
  });
  expect(
    survey("claude-code", ["claude", "claude-agent-acp", "tmux"], ["/bin/claude-agent-acp"]),
  ).toMatchObject({
    acp: { reason: "claude-agent-acp ended as it started", install },
  });
});

test("nothing at all: the CLI is what is missing", () => {
  const missing = { reason: "gemini is not installed", install: "npm i -g @google/gemini-cli" };
  expect(survey("gemini", ["tmux"])).toEqual({ acp: missing, headless: missing, tmux: missing });
});

test("of a CLI that nobody knows, only what the person configured works", () => {
  expect(survey("mine", ["my-cli", "tmux"])).toEqual({
    acp: { reason: "It has no ACP form", install: null },
    headless: { reason: "Huddle does not know how it runs without a screen", install: null },
    tmux: { reason: "Huddle does not know its screen", install: null },
  });
});

test("every built-in backend has one command that installs it", () => {
  for (const backend of buildBackends({}).values()) expect(installCommand(backend)).toMatch(/^npm i -g \S+$/);
});

test.each([
  ["2.1.325 (Claude Code)", "2.1.325"],
  ["codex-cli 0.166.0", "0.166.0"],
  ["0.61.0-nightly.20260101", "0.61.0-nightly.20260101"],
  ["GitHub Copilot CLI 1.0.102.\nCommit: abc", "1.0.102"],
  ["unknown option --version", null],
])("%j tells the version %s", (output, version) => {
  expect(readVersion(output)).toBe(version);
});
