import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/*
 * Programs that have the names of agent CLIs and do what `huddle connect` and `huddle doctor` ask of those: they tell a version, and
 * claude's registers a server as the real one does: it rewrites its file, with things of its own in it.
 */

const head = `#!${process.execPath}\n`;

const versionOnly = (version: string) =>
  `${head}console.log(process.argv.includes("--version") ? "${version}" : "?");\n`;

const claude = `${head}
const fs = require("node:fs");
const path = require("node:path");
const [verb, action, , scope, name, json] = process.argv.slice(2);
if (verb === "--version") console.log("2.1.325 (Claude Code)");
else if (verb === "mcp" && action === "add-json" && scope === "user") {
  const file = path.join(process.env.CLAUDE_CONFIG_DIR || process.env.HOME, ".claude.json");
  const config = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : {};
  config.numStartups = (config.numStartups || 0) + 1;
  config.mcpServers = { ...config.mcpServers, [name]: JSON.parse(json) };
  fs.writeFileSync(file, JSON.stringify(config, null, 2));
} else process.exit(1);
`;

/** A claude whose own command does nothing but fail. */
const brokenClaude = `${head}if (process.argv[2] === "--version") console.log("2.0.0"); else process.exit(1);\n`;

const programs = {
  claude,
  codex: versionOnly("codex-cli 0.166.0"),
  gemini: versionOnly("0.61.0"),
  qwen: versionOnly("0.24.4"),
  droid: versionOnly("0.215.0"),
  opencode: versionOnly("1.18.33"),
  copilot: versionOnly("GitHub Copilot CLI 1.0.102"),
  code: versionOnly("1.104.0"),
  "broken claude": brokenClaude,
};

/** Puts them into a folder for PATH. */
export function placeClis(folder: string, names: readonly (keyof typeof programs)[]): void {
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const file = join(folder, name.replace("broken ", ""));
    writeFileSync(file, programs[name]);
    chmodSync(file, 0o755);
  }
}
