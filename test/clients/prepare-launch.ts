import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import type { RuntimeKind } from "../../src/model/hosting.js";
import { buildBackends } from "../../src/runtime/backends/build-backends.js";
import { buildEnvironment, hostedMarker } from "../../src/runtime/process/environment.js";
import type { Launch } from "../../src/runtime/runtime.js";
import type { ScriptedModel } from "../../src/selftest/scripted-model/scripted-model.js";
import type { Client } from "./client.js";
import { installedProgram } from "./installed.js";
import { clientTemp } from "./run-client.js";

let count = 0;

/** What the hub would start a CLI with, in a home of its own; the model's lane has the agent's name. */
export function prepareLaunch(client: Client, runtime: RuntimeKind, model: ScriptedModel): Launch {
  count += 1;
  const id = `agent-${process.pid}-${count}`;
  const name = `${client.name}-${count}`;
  const home = mkdtempSync(join(tmpdir(), "home-"));
  const [cwd, folder] = [join(home, "project"), join(home, "folder")];
  for (const path of [cwd, folder]) mkdirSync(path, { mode: 0o700 });
  const world = { home, cwd, modelUrl: model.laneUrl(name), mcp: {} };
  client.setUp(world);
  // Screens need more than the bare model, and are run as they are installed.
  const own =
    runtime === "tmux"
      ? { command: installedProgram(client.name), env: client.tui(world).env }
      : { env: client.headless(world, "").env };
  const built = buildBackends({ [client.backend]: { ...own, runtime } }).get(client.backend);
  if (built === undefined) throw new Error(`no backend ${client.backend}`);
  // What its own configuration would name, and a test cannot write into it without being Huddle.
  const backend =
    client.hostedArgs !== undefined && runtime !== "tmux" ? { ...built, args: client.hostedArgs } : built;
  // As if they had been installed globally.
  const programs = client.programs.map((program) => dirname(installedProgram(program)));
  const path = [...programs, process.env["PATH"] ?? ""].join(delimiter);
  const from = { PATH: path, HOME: home, LANG: "C.UTF-8", TERM: "xterm-256color", TMPDIR: clientTemp() };
  return {
    agent: { id, name, team: "main" },
    backend,
    cwd,
    bridge: [
      process.execPath,
      resolve("test/fakes/scripted-agent/mcp-server.mjs"),
      "--identity",
      "/nowhere/x.json",
    ],
    env: buildEnvironment(from, backend, hostedMarker("clients", id)),
    folder,
  };
}
