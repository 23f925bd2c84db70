import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { installedProgram } from "./installed.js";

/* `huddle selftest` as a person runs it, with a vendor's own CLI. What it tries is proven with all of them by `hosted.test.ts`. */

test("the self-test of claude starts it and gets a message to it, in every runtime, and leaves nothing", async () => {
  const home = mkdtempSync(join(tmpdir(), "home-"));
  const huddle = join(home, "huddle");
  mkdirSync(huddle);
  writeFileSync(join(huddle, "huddle.yaml"), "{}\n");
  const programs = ["claude", "claude-acp"].map((name) => dirname(installedProgram(name)));
  const env = {
    PATH: [...programs, process.env["PATH"] ?? ""].join(delimiter),
    HOME: home,
    HUDDLE_HOME: huddle,
  };
  const args = [resolve("dist/main.js"), "selftest", "claude", "--behaviour", "receive", "--timeout", "3m"];

  const { stdout } = await promisify(execFile)(process.execPath, [...args, "--json"], { env });

  const { ok, backends } = JSON.parse(stdout) as {
    ok: boolean;
    backends: { backend: string; version: string; runtimes: { runtime: string; verdict: string }[] }[];
  };
  expect(ok).toBe(true);
  expect(backends).toMatchObject([
    {
      backend: "claude-code",
      version: "2.1.325",
      runtimes: [
        { runtime: "acp", verdict: "works" },
        { runtime: "headless", verdict: "works" },
        { runtime: "tmux", verdict: "works" },
      ],
    },
  ]);
  expect(existsSync(join(home, ".cache", "huddle"))).toBe(false);
});
