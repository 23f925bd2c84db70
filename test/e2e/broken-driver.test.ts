import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { parseObject } from "../fakes/http-call.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* A database driver that cannot be loaded is called that, with the one command that helps, however the hub is started. */

const DRIVER = join("@photostructure", "sqlite");

/** Huddle as `npm install` would leave it, but for its database driver. */
function installWithout(what: "the driver" | "a sound binary"): string {
  const folder = tempFolder();
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  cpSync("dist", join(folder, "dist"), { recursive: true });
  cpSync("package.json", join(folder, "package.json"));
  for (const name of readdirSync("node_modules")) {
    if (name !== "@photostructure") symlinkSync(resolve("node_modules", name), join(modules, name));
  }
  if (what === "the driver") return folder;
  for (const part of ["package.json", "dist", "prebuilds"]) {
    cpSync(join("node_modules", DRIVER, part), join(modules, DRIVER, part), { recursive: true });
  }
  const binaries = join(modules, DRIVER, "prebuilds", `${process.platform}-${process.arch}`);
  for (const name of readdirSync(binaries)) writeFileSync(join(binaries, name), "cut off");
  return folder;
}

async function up(folder: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(folder, "dist", "main.js"), "up", "--json", ...args], {
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      HUDDLE_HOME: join(folder, "home"),
      HUDDLE_SQLITE: "prebuilt",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const code = await new Promise((done) => child.once("close", done));
  return { code, said: parseObject(stderr.trim()) };
}

function expectOneCommand(folder: string, sentence: unknown) {
  const command = `npm install --no-save --prefix ${folder} --force @photostructure/sqlite@~1.2.1`;
  expect(sentence).toContain("database driver cannot be loaded");
  expect(String(sentence).endsWith(`: ${command}`)).toBe(true);
  expect(String(sentence)).not.toMatch(/huddle\.lock|\n/);
}

describe.each(["the driver", "a sound binary"] as const)("a hub without %s", (what) => {
  test.each([
    ["in the foreground", ["--foreground"]],
    ["in the background", []],
  ])("says so when it is started %s", async (_, args) => {
    const folder = installWithout(what);

    const { code, said } = await up(folder, ...args);

    expect(code).toBe(1);
    expect(said["code"]).toBe("DATABASE_UNAVAILABLE");
    expectOneCommand(folder, said["error"]);
  });

  test("says so to the agent whose bridge starts it", async () => {
    const folder = installWithout(what);
    const bridge = spawn(process.execPath, [join(folder, "dist", "mcp-bridge.cjs"), "--name", "ann"], {
      env: {
        PATH: process.env["PATH"],
        HOME: folder,
        HUDDLE_HOME: join(folder, "home"),
        HUDDLE_SQLITE: "prebuilt",
      },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const say = (message: object) =>
      bridge.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "test", version: "1" };
    say({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
    });
    say({ method: "notifications/initialized" });
    // On a slow machine the first call gives up before the hub has failed to start.
    const ask = (id: number) =>
      say({ id, method: "tools/call", params: { name: "check_messages", arguments: {} } });
    let asked = 2;
    ask(asked);
    let answer = "";
    for await (const line of createInterface({ input: bridge.stdout })) {
      if (parseObject(line)["id"] !== asked) continue;
      answer = line;
      if (!line.includes("HUB_UNREACHABLE") || ++asked > 9) break;
      ask(asked);
    }
    bridge.kill("SIGKILL");

    expect(answer).toContain("DATABASE_UNAVAILABLE");
    expect(answer).toContain(
      `npm install --no-save --prefix ${folder} --force @photostructure/sqlite@~1.2.1`,
    );
  });
});
