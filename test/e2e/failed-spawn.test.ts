import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { cli } from "../fakes/run-cli.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* Scripted agents that do not start: whoever spawns one reads one line that says why, and nothing beside it says otherwise. */

const scripted = (...flags: string[]) =>
  JSON.stringify([process.execPath, resolve("test", "fakes", "scripted-agent", "acp.mjs"), ...flags]);
const dies = JSON.stringify([process.execPath, "-e", "console.error('no licence'); process.exit(3)"]);

const yard = createHubYard();
const program = join(yard.home(), "codex");
writeFileSync(program, "#!/bin/sh\necho no licence >&2\nexit 3\n", { mode: 0o755 });
const home = yard.home();
let hub: HubProcess;
beforeAll(async () => {
  hub = await startHostingHub(yard, {
    home,
    set: [
      'backends.absent.acp=["/nowhere/agent"]',
      `backends.dies.acp=${dies}`,
      `backends.unsigned.acp=${scripted("--no-session")}`,
      // The way that is tried next does not work either.
      "backends.both.like=codex",
      `backends.both.acp=${dies}`,
      `backends.both.command=${program}`,
    ],
  });
});
afterAll(() => yard.clear());

const run = (...argv: string[]) => cli(argv, { env: { HUDDLE_HOME: home } });

test.each([
  ["absent", /absent is not installed/],
  ["dies", /dies ended with code 3 while it started: "no licence"/],
  ["unsigned", /unsigned is not signed in/],
  ["both", /both ended as it started. It said: no licence/],
])(
  "huddle spawn of one that does not start (%s) prints one line, and nothing else says otherwise",
  async (backend, why) => {
    const name = `hal-${backend}`;
    const { code, stdout, stderr } = await run("spawn", backend, "--name", name, "-C", tempFolder());
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(why)]);

    expect((await run("agents")).stdout).not.toContain(name);
    expect((await run("inbox")).stdout).not.toContain(name);
    const needs = await hub.http.call("GET", "/api/needs-you", { token: hub.operator });
    expect(needs.json["items"]).toEqual([]);
    const told = (await run("tail", "--since", "10m", "--timeout", "1")).stdout.split("\n");
    const own = told.filter((line) => line.includes(name));
    // Of one that is not there nothing was tried.
    expect(own.filter((line) => line.includes("did not start"))).toHaveLength(backend === "absent" ? 0 : 1);
    expect(own.join("\n")).not.toMatch(/has started|is back|failed/);
  },
);
