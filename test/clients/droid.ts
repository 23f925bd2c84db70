import { droidModel, droid as offline } from "../../src/selftest/offline/droid.js";
import type { Client, ClientWorld } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

const { env } = offline;

function exec(world: ClientWorld, ...args: readonly string[]) {
  const tools = Object.keys(world.mcp).flatMap((name) => ["--add-tools", `MCP:${name}`]);
  return { argv: [installedProgram("droid"), "exec", "-m", droidModel, ...args, ...tools], env: env(world) };
}

export const droid: Client = {
  ...offline,
  name: "droid",
  mcpName: /^factory-cli$/,
  programs: ["droid"],
  readsLate: true,
  headless: (world, prompt, resume) =>
    exec(world, "-o", "json", ...(resume === undefined ? [] : ["-s", resume]), prompt),
  tui: (world) => ({ argv: [installedProgram("droid")], env: env(world) }),
  acp: (world) => exec(world, "--output-format", "acp"),
  readRun(stdout) {
    const last = jsonObjectsIn(stdout).at(-1);
    return { session: stringAt(last, "session_id"), text: stringAt(last, "result") ?? "" };
  },
};
