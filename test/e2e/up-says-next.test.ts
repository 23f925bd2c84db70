// What a person at a terminal is told once the hub is up: which CLIs were found, and what to do with them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { eventually } from "../fakes/hosting-hub.js";
import { createHubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";
import { tempFolder } from "../fakes/temp-folder.js";

const yard = createHubYard();
afterEach(yard.clear);

/** A folder with programs that do nothing but tell their version. */
function programs(versions: Record<string, string>): string {
  const folder = tempFolder();
  for (const [name, version] of Object.entries(versions)) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho '${version}'\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

async function start(versions: Record<string, string>) {
  const path = programs(versions);
  const hub = await yard.start({ env: { PATH: `${path}:/usr/bin:/bin`, HOME: tempFolder() } });
  // Whoever asks is kept waiting for the versions for one second only.
  await eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/backends", { token: hub.operator });
    return (json["backends"] as { checking: boolean }[]).some(({ checking }) => checking) ? undefined : true;
  }, "the versions are known");
  const run = (argv: string[], tty = true) =>
    cli(argv, { tty, env: { HUDDLE_HOME: hub.home, PATH: path, BROWSER: "none" } });
  return { hub, run };
}

test("up names the CLIs that were found, and the commands that come next", async () => {
  const { hub, run } = await start({ claude: "2.1.325 (Claude Code)", codex: "codex-cli 0.166.0" });

  const { code, stdout, stderr } = await run(["up"]);

  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(`Huddle is already up at ${hub.url}`) as string,
  });
  expect(stderr).toContain("Found: claude 2.1.325, codex 0.166.0\n");
  expect(stderr).toMatch(/Next:\n +npm install -g \. .*\n +huddle connect .*\n +huddle demo /);
});

test("huddle alone does the same after it opened the desk, and leaves out what is done", async () => {
  const { hub, run } = await start({ huddle: "0.1.0" });

  const { stdout, stderr } = await run([]);

  expect(stdout).toContain(`${hub.url}/#code=`);
  expect(stderr).toContain("No agent CLI was found.");
  expect(stderr).toContain("huddle connect");
  expect(stderr).not.toContain("npm install");
});

test("who has agents already is not told how to begin, and programs are told nothing", async () => {
  const { hub, run } = await start({ claude: "2.1.325 (Claude Code)" });
  await registerAgent(hub.http, hub.operator, { name: "ann" });

  expect((await run(["up"])).stderr).toBe("  Found: claude 2.1.325\n");
  expect((await run(["up"], false)).stderr).toBe("");
  expect((await run(["up", "--json"])).stderr).toBe("");
});

test("npm start says the address first, and how to end it", async () => {
  const home = tempFolder();
  const env = { PATH: process.env["PATH"], HUDDLE_HOME: home };
  const child = spawn(process.execPath, [resolve("dist/main.js"), "up", "--foreground", "--port", "0"], {
    env,
  });
  const [first] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  child.kill("SIGINT");
  await once(child, "close");

  expect(first).toMatch(/^✓ Huddle is up at http:\/\/127\.0\.0\.1:\d+\. Ctrl-C stops it\.\n$/);
});

test("version says what a report needs, as a document, too", async () => {
  const { code, stdout } = await cli(["version", "--json"]);

  const { node } = process.versions;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    node,
    platform: process.platform,
    arch: process.arch,
  });
  expect((await cli(["version"])).stdout).toMatch(/^huddle \d+\.\d+\.\d+ \(node /);
});
