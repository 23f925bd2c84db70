import { execFile, spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* Completion as a shell asks for it: the built program, on the path. */

const run = promisify(execFile);
const yard = createHubYard();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start();
  for (const name of ["ann", "anton", "ben"]) {
    const member = await registerAgent(hub.http, hub.join, { name });
    await member.inbox();
  }
});
afterAll(() => yard.clear());

function pathWithHuddle(): string {
  const folder = tempFolder();
  const program = join(folder, "huddle");
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${resolve("dist", "main.js")} "$@"\n`);
  chmodSync(program, 0o755);
  return `${folder}:${process.env["PATH"]}`;
}

/** What bash offers when Tab is pressed after these words. */
async function tabInBash(words: readonly string[], home = hub.home): Promise<string[]> {
  const script = `
    eval "$(huddle completion bash)"
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _huddle
    printf '%s\\n' "\${COMPREPLY[@]}"
  `;
  const { stdout } = await run("bash", ["-c", script, "bash", ...words], {
    env: { PATH: pathWithHuddle(), HUDDLE_HOME: home },
  });
  return stdout.trimEnd() === "" ? [] : stdout.trimEnd().split("\n");
}

test.each([
  [["huddle", "appr"], ["approve"]],
  [
    ["huddle", "send", "an"],
    ["ann", "anton"],
  ],
  [["huddle", "send", "ben", "--rep"], ["--reply-to"]],
  [["huddle", "inbox", "--from", "b"], ["ben"]],
  [["huddle", "requests", "cl"], ["claim"]],
  [["huddle", "completion", "z"], ["zsh"]],
  [["huddle", "spawn", "codex", "--runtime", "tm"], ["tmux"]],
  [["huddle", "conversations", "f"], ["freeze"]],
  [["huddle", "backup", "no-such"], []],
  [["huddle", "--time"], ["--timeout"]],
])("Tab in bash after %j offers %j", async (words, offered) => {
  expect(await tabInBash(words)).toEqual(offered);
});

test("without a hub commands and options complete, and names do not", async () => {
  expect(await tabInBash(["huddle", "send", "an"], tempFolder())).toEqual([]);
  expect(await tabInBash(["huddle", "tai"], tempFolder())).toEqual(["tail"]);
});

test.each(["bash", "zsh", "fish"])("the script for %s is one that the shell reads", async (shell) => {
  const { code, stdout } = await cli(["completion", shell]);
  expect(code).toBe(0);
  expect(stdout).toContain("completion complete --");
  const file = join(tempFolder(), `huddle.${shell}`);
  writeFileSync(file, stdout);
  const read = spawnSync(shell, ["-n", file], { encoding: "utf8" });
  // Not every machine has every shell.
  if (read.error === undefined) expect(read.stderr).toBe("");
});
