import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { buildBackends } from "./build-backends.js";
import { detectBackend, readVersion } from "./detect-backend.js";

test("seven backends are built in", () => {
  const backends = buildBackends({});
  expect([...backends.keys()]).toEqual([
    "claude-code",
    "codex",
    "gemini",
    "qwen",
    "droid",
    "opencode",
    "copilot",
  ]);
  expect(backends.get("gemini")).toMatchObject({
    command: "gemini",
    acp: ["gemini", "--acp"],
    runtime: "acp",
  });
  expect(backends.get("claude-code")).toMatchObject({ acp: ["claude-agent-acp"], permissions: "ask" });
});

test("a person changes some of a backend, and adds others", () => {
  const backends = buildBackends({
    gemini: { command: "/opt/gemini", runtime: "headless" },
    "my-claude": { like: "claude-code", env: { ANTHROPIC_BASE_URL: "http://x" }, permissions: "deny" },
    aider: { command: "aider" },
    goose: { acp: ["goose", "acp"] },
  });
  expect(backends.get("gemini")).toMatchObject({
    acp: ["/opt/gemini", "--acp"],
    runtime: "headless",
    vendor: "gemini",
  });
  expect(backends.get("my-claude")).toMatchObject({
    vendor: "claude-code",
    command: "claude",
    permissions: "deny",
    env: { ANTHROPIC_BASE_URL: "http://x" },
  });
  expect(backends.get("aider")).toMatchObject({ runtime: "tmux", passEnv: [] });
  expect(backends.get("aider")).not.toHaveProperty("vendor");
  expect(backends.get("goose")).toMatchObject({ command: "goose", runtime: "acp" });
});

test("a version is read from what CLIs print", () => {
  expect(readVersion("2.1.325 (Claude Code)\n")).toBe("2.1.325");
  expect(readVersion("codex-cli 0.166.0")).toBe("0.166.0");
  expect(readVersion("v0.61.0-nightly.1 ")).toBe("0.61.0-nightly.1");
  expect(readVersion("no version")).toBeUndefined();
});

test("a backend is found on PATH, with its version, or says how to install it", async () => {
  const folder = tempFolder();
  const file = join(folder, "my-cli");
  writeFileSync(file, '#!/bin/sh\necho "my-cli 1.2.3 $HUDDLE_TOKEN"\n');
  chmodSync(file, 0o755);
  const backends = buildBackends({ mine: { command: "my-cli" } });
  const [mine, codex] = [backends.get("mine"), backends.get("codex")];
  if (mine === undefined || codex === undefined) throw new Error("not built");
  const env = { PATH: folder };
  expect(await detectBackend(mine, env)).toEqual({
    found: true,
    path: file,
    version: "1.2.3",
    acp: undefined,
  });
  expect(await detectBackend(codex, env)).toEqual({
    found: false,
    install: expect.stringContaining("npm i -g @openai/codex") as unknown,
  });
});
