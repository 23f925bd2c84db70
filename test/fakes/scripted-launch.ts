import { resolve } from "node:path";
import type { Backend } from "../../src/runtime/backend.js";
import { buildEnvironment, hostedMarker } from "../../src/runtime/process/environment.js";
import type { Launch } from "../../src/runtime/runtime.js";
import { tempFolder } from "./temp-folder.js";

const file = (name: string) => resolve("test", "fakes", "scripted-agent", name);

/** How to launch a scripted agent. `SCRIPTED_HOME`, where it keeps its sessions, is the project folder. */
export function scriptedLaunch(changes: Partial<Backend>, overrides: Partial<Launch> = {}): Launch {
  const cwd = overrides.cwd ?? tempFolder();
  const backend: Backend = {
    name: "scripted",
    command: process.execPath,
    args: [],
    env: { SCRIPTED_HOME: cwd },
    passEnv: [],
    runtime: "acp",
    permissions: "ask",
    install: "It comes with the tests.",
    ...changes,
  };
  return {
    agent: { id: "agent-1", name: "alice", team: "main" },
    backend,
    cwd,
    bridge: [process.execPath, file("mcp-server.mjs"), "--identity", "/nowhere/alice.json"],
    env: buildEnvironment(process.env, backend, hostedMarker("hub-1", "agent-1")),
    folder: tempFolder(),
    ...overrides,
  };
}

export function scriptedAcpLaunch(overrides: Partial<Launch> = {}, ...flags: string[]): Launch {
  return scriptedLaunch({ acp: [process.execPath, file("acp.mjs"), ...flags] }, overrides);
}

/** As a CLI with the flags and the output of claude. */
export function scriptedHeadlessLaunch(overrides: Partial<Launch> = {}): Launch {
  return scriptedLaunch(
    { command: file("headless.mjs"), vendor: "claude-code", runtime: "headless" },
    overrides,
  );
}
