import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { loadConfig } from "./config-load.js";

function load(yaml: string, overrides: string[] = []) {
  const file = join(tempFolder(), "huddle.yaml");
  writeFileSync(file, yaml);
  return loadConfig({ file, overrides }).config;
}

test("the default is a backend that is there, or none", () => {
  expect(load("port: 1").default_backend).toBe("none");
  expect(load("default_backend: codex").default_backend).toBe("codex");
  expect(load("default_backend: mine\nbackends: { mine: { command: x } }").default_backend).toBe("mine");
});

test("backends are changed and added in the file, and by --set", () => {
  const config = load(
    `
backends:
  codex:
    command: codex
    acp: [codex-acp]
    args: []
    env: { CODEX_HOME: /path }
    runtime: acp
    permissions: ask
  mine: { like: gemini, mode: plan }
allowed_roots: [~/projects]
`,
    ["backends.codex.runtime=headless"],
  );
  expect(config.backends).toEqual({
    codex: {
      command: "codex",
      acp: ["codex-acp"],
      args: [],
      env: { CODEX_HOME: "/path" },
      runtime: "headless",
      permissions: "ask",
    },
    mine: { like: "gemini", mode: "plan" },
  });
  expect(config.allowed_roots).toEqual(["~/projects"]);
  expect(load("port: 1")).toMatchObject({ backends: {}, allowed_roots: ["~"] });
});

test.each([
  ["backends: { codex: { runtime: screen } }", "backends.codex.runtime: must be one of acp, headless, tmux"],
  ["backends: { codex: { permissions: yes } }", "must be one of ask, allow-reads, allow-all, deny"],
  [
    "backends: { codex: { tools: chess } }",
    "backends.codex.tools: must be one of huddle, agent, orchestrator, tabs, sessions",
  ],
  ["tools: chess", '"chess" is not one of huddle, agent, orchestrator, tabs, sessions'],
  ["default_backend: chess", "default_backend: names no backend; there are claude-code, codex"],
  ["default_backend: ''", "default_backend: must not be empty"],
  ["backends: { codex: { env: { HUDDLE_TOKEN: x } } }", "is a variable of Huddle's own"],
  ["backends: { codex: { env: { A: 1 } } }", "must be a text; quote it"],
  ["backends: { codex: { comand: x } }", "is not a known key"],
  ["backends: { codex: codex }", "must hold keys of its own"],
  ["backends: { ../x: {} }", "is no name for a backend"],
  ["backends: { codex: { acp: codex-acp } }", "must be a list"],
  ["allowed_roots: [projects]", "must be an absolute path"],
  ["allowed_roots: []", "must name a folder"],
])("%s is refused with what to write", (yaml, words) => {
  expect(() => load(yaml)).toThrow(words);
});
