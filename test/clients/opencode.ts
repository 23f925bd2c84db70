import { clientPrograms } from "../../scripts/client-programs.mjs";
import { opencode as offline } from "../../src/selftest/offline/opencode.js";
import type { Client } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

const { version } = clientPrograms.find((program) => program.name === "opencode") ?? {};

export const opencode: Client = {
  ...offline,
  name: "opencode",
  mcpName: /^opencode$/,
  programs: ["opencode"],
  readsLate: true,
  setUp: (world) => offline.setUp({ ...world, version }),
  headless: (world, prompt, resume) => ({
    argv: [
      installedProgram("opencode"),
      "run",
      "--format",
      "json",
      ...(resume === undefined ? [] : ["--session", resume]),
    ],
    env: offline.env(world),
    // An argument with spaces reaches the model in quotation marks.
    stdin: prompt,
  }),
  tui: (world) => ({ argv: [installedProgram("opencode")], env: offline.env(world) }),
  acp: (world) => ({ argv: [installedProgram("opencode"), "acp"], env: offline.env(world) }),
  readRun(stdout) {
    const events = jsonObjectsIn(stdout);
    return {
      session: stringAt(events[0], "sessionID"),
      text: events.map((event) => stringAt(event, "part", "text") ?? "").join("\n"),
    };
  },
};
