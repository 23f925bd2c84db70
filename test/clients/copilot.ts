import { join } from "node:path";
import { clientsFolder } from "../../scripts/client-programs.mjs";
import { copilot as offline } from "../../src/selftest/offline/copilot.js";
import type { Client, ClientWorld } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

const env = (world: ClientWorld) =>
  offline.env({ ...world, cache: join(clientsFolder(), "copilot", "unpacked") });

/** One argument each: those of the flag for tools go on to the next flag. */
const allowed = ({ mcp }: ClientWorld) => Object.keys(mcp).map((name) => `--allow-tool=${name}`);

export const copilot: Client = {
  ...offline,
  env,
  name: "copilot",
  mcpName: /^copilot-cli$/,
  programs: ["copilot"],
  readsLate: true,
  headless: (world, prompt, resume) => ({
    argv: [
      installedProgram("copilot"),
      "--output-format",
      "json",
      ...allowed(world),
      ...(resume === undefined ? [] : [`--resume=${resume}`]),
      "-p",
      prompt,
    ],
    env: env(world),
  }),
  tui: (world) => ({ argv: [installedProgram("copilot"), ...allowed(world)], env: env(world) }),
  acp: (world) => ({ argv: [installedProgram("copilot"), "--acp", ...allowed(world)], env: env(world) }),
  readRun(stdout) {
    const events = jsonObjectsIn(stdout);
    const messages = events.filter(({ type }) => type === "assistant.message");
    return {
      session: stringAt(events.at(-1), "sessionId"),
      text: messages.map(({ data }) => stringAt(data, "content") ?? "").join("\n"),
    };
  },
};
