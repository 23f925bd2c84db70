import { join } from "node:path";
import { type Connection, folderOf, isTextList, isTextMap } from "../connection.js";
import { opencode } from "./client.js";

const names = ["opencode.json", "opencode.jsonc"];

export const connection: Connection = {
  cli: opencode.cli,
  label: opencode.label,
  program: "opencode",
  install: "npm i -g opencode-ai",
  format: "json",
  servers: ["mcp"],
  files: {
    user({ env, home }) {
      const folder = join(folderOf(env["XDG_CONFIG_HOME"], join(home, ".config")), "opencode");
      return names.map((name) => join(folder, name));
    },
    project: ({ cwd }) => names.map((name) => join(cwd, name)),
  },
  // `opencode mcp add` asks its questions on a terminal.
  entry: ({ command, args, env }) => ({
    type: "local",
    command: [command, ...args],
    enabled: true,
    ...(Object.keys(env).length === 0 ? {} : { environment: { ...env } }),
  }),
  settings: [],
  readServer({ command, environment: env = {} }) {
    if (!isTextList(command) || !isTextMap(env)) return undefined;
    const [program, ...args] = command;
    return program === undefined ? undefined : { command: program, args, env };
  },
};
