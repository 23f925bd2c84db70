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
  // A busy machine answers later than a shell would wait.
  writeFileSync(
    program,
    `#!/bin/sh\nexec ${process.execPath} ${resolve("dist", "main.js")} --timeout 5m "$@"\n`,
  );
  chmodSync(program, 0o755);
  return `${folder}:${process.env["PATH"]}`;
}

/** What bash offers when Tab is pressed after these words, one line for each. */
async function tabInBash(lines: readonly string[], home = hub.home): Promise<string[]> {
  const script = `
    eval "$(huddle completion bash)"
    for line in "$@"; do
      read -ra COMP_WORDS <<< "$line"
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMPREPLY=()
      _huddle
      echo "\${COMPREPLY[*]}"
    done
  `;
  const { stdout } = await run("bash", ["-c", script, "bash", ...lines], {
    env: { PATH: pathWithHuddle(), HUDDLE_HOME: home },
  });
  return stdout.trimEnd().split("\n");
}

test("Tab in bash offers commands, options, their values and the names of agents", async () => {
  const offers = {
    "huddle appr": "approve",
    "huddle send an": "ann anton",
    "huddle send ben --rep": "--reply-to",
    "huddle inbox --from b": "ben",
    "huddle requests cl": "claim",
    "huddle completion z": "zsh",
    "huddle spawn codex --runtime tm": "tmux",
    "huddle conversations f": "freeze",
    "huddle backup no-such": "",
    "huddle --time": "--timeout",
  };

  const offered = await tabInBash(Object.keys(offers));

  expect(Object.fromEntries(Object.keys(offers).map((line, i) => [line, offered[i]]))).toEqual(offers);
});

test("without a hub commands and options complete, and names do not", async () => {
  expect(await tabInBash(["huddle send an", "huddle tai"], tempFolder())).toEqual(["", "tail"]);
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
