import { isAbsolute, join } from "node:path";
import { describe, expect, test } from "vitest";
import { valueAt } from "../../src/connect/config-format.js";
import { isInEffect, makeEdit, undoEdit } from "../../src/connect/edits.js";
import { configFileOf, entryPath } from "../../src/connect/plan-connection.js";
import { formats } from "../../src/connect/plan-file.js";
import { clients } from "../../src/runtime/vendors/clients.js";
import type { ConfigWorld } from "../../src/runtime/vendors/connection.js";
import { connections } from "../../src/runtime/vendors/connections.js";

const server = {
  command: "/usr/bin/node",
  args: ["/opt/my huddle/dist/mcp-bridge.cjs"],
  env: { HUDDLE_HOME: '/home/ann/it\'s "here"' },
};
const world: ConfigWorld = { home: "/home/ann", cwd: "/src/shop", env: {}, platform: "linux" };

/** What people have in such files: comments, their own order, other servers. */
const theirs = {
  json: '{\n\t// mine\n\t"z": [1,\n\t\t2], "a": { "b": null },\n}\n',
  toml: "# mine\nmodel   = \"x\" # keep\n\n[mcp_servers.other]\ncommand = 'a'\n\n[[things]]\nwhen = 2026-01-01T00:00:00Z\n",
};

test("every CLI that Huddle runs can be connected, under the name that people call it", () => {
  expect(connections.map(({ cli }) => cli)).toEqual([...clients.map(({ cli }) => cli), "vscode"]);
});

describe.each(connections)("$cli", (connection) => {
  const format = formats[connection.format];
  const path = entryPath(connection);
  const edit = { kind: "key" as const, path, value: connection.entry(server) };

  test("its entry starts the command that was given, with its variables", () => {
    expect(connection.readServer(connection.entry(server))).toEqual(server);
    const bare = { ...server, env: {} };
    expect(connection.readServer(connection.entry(bare))).toEqual(bare);
  });

  test("an entry that starts no program is not taken for a server", () => {
    expect(connection.readServer({ url: "http://127.0.0.1:1/mcp" })).toBeUndefined();
    expect(connection.readServer({ command: 7 })).toBeUndefined();
  });

  test.each(["", theirs[connection.format]])(
    "what is written into %j is read back, and taken out byte by byte",
    (text) => {
      const { text: written, made } = makeEdit(format, text, edit);

      expect(valueAt(format.parse(written), path)).toEqual(connection.entry(server));
      expect(isInEffect(format.parse(written), edit)).toBe(true);
      const restored = undoEdit(format, written, made);
      expect(format.parse(restored)).toEqual(format.parse(text));
      if (text !== "") expect(restored).toBe(text);
    },
  );

  test("what others wrote keeps every character, above and below", () => {
    const { text } = makeEdit(format, theirs[connection.format], edit);

    const lines = theirs[connection.format].split("\n").filter((line) => line.trim().length > 1);
    expect(text.split("\n")).toEqual(expect.arrayContaining(lines));
  });

  test("its files are absolute paths in the person's home, or in the project", () => {
    expect(configFileOf(connection, "user", world)).toMatch(/^\/home\/ann\//);
    if (connection.files.project !== undefined)
      expect(configFileOf(connection, "project", world)).toMatch(/^\/src\/shop\//);
    const hooks = connection.hooksFile?.(world, "user") ?? join(world.home, "none");
    expect(isAbsolute(hooks)).toBe(true);
  });

  test("its own command, if it is used, is told the whole entry", () => {
    const args = connection.register?.(server) ?? [];
    if (args.length > 0) expect(args.map(readJson)).toContainEqual(connection.entry(server));
  });
});

test.each([
  ["claude", { CLAUDE_CONFIG_DIR: "/c" }, "/c/.claude.json"],
  ["codex", { CODEX_HOME: "/c" }, "/c/config.toml"],
  ["gemini", { GEMINI_CLI_HOME: "/c" }, "/c/.gemini/settings.json"],
  ["opencode", { XDG_CONFIG_HOME: "/c" }, "/c/opencode/opencode.json"],
  ["copilot", { COPILOT_HOME: "/c" }, "/c/mcp-config.json"],
])("%s is looked for where %j puts it", (cli, env, file) => {
  const connection = connections.find((one) => one.cli === cli);
  expect(connection?.files.user({ ...world, env })[0]).toBe(file);
});

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
