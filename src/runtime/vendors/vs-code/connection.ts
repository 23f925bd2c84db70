import { join } from "node:path";
import { type ConfigWorld, type Connection, folderOf, plainEntry, readPlainEntry } from "../connection.js";

/** An editor, and no backend: its agent mode is started by the person alone. */
export const connection: Connection = {
  cli: "vscode",
  label: "VS Code",
  program: "code",
  install: "https://code.visualstudio.com/download",
  format: "json",
  servers: ["servers"],
  files: {
    user: (world) => [join(settingsFolder(world), "Code", "User", "mcp.json")],
    project: ({ cwd }) => [join(cwd, ".vscode", "mcp.json")],
  },
  entry: (server) => ({ type: "stdio", ...plainEntry(server) }),
  settings: [],
  readServer: readPlainEntry,
};

function settingsFolder({ env, home, platform }: ConfigWorld): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return folderOf(env["APPDATA"], join(home, "AppData", "Roaming"));
  return folderOf(env["XDG_CONFIG_HOME"], join(home, ".config"));
}
