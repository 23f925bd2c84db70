// Completion in zsh and fish themselves: Tab is pressed in a terminal, and fish is asked what it would offer.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findCommand } from "../../src/runtime/process/find-command.js";
import { eventually } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { tempFolder } from "../fakes/temp-folder.js";

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

const isThere = (shell: string) =>
  findCommand(shell, { path: process.env["PATH"] ?? "", cwd: "/" }) !== undefined;

/** A home with huddle on its path, where nothing of this machine's is set up. */
function shellHome(): { home: string; env: Record<string, string> } {
  const home = tempFolder();
  const program = join(home, "bin", "huddle");
  mkdirSync(join(home, "bin"));
  // A busy machine answers later than a shell would wait.
  writeFileSync(
    program,
    `#!/bin/sh\nexec ${process.execPath} ${resolve("dist", "main.js")} --timeout 5m "$@"\n`,
  );
  chmodSync(program, 0o755);
  const PATH = [join(home, "bin"), process.env["PATH"]].join(delimiter);
  return { home, env: { PATH, HOME: home, ZDOTDIR: home, HUDDLE_HOME: hub.home, LANG: "C.UTF-8" } };
}

/** A zsh in a terminal, as somebody has it who followed the first lines of the script. */
async function openZsh() {
  const { home, env } = shellHome();
  writeFileSync(
    join(home, ".zshrc"),
    "PS1='zsh> '\nautoload -Uz compinit && compinit -u -D\neval \"$(huddle completion zsh)\"\n",
  );
  const tmux = (...args: string[]) => run("tmux", ["-L", "completion", "-f", "/dev/null", ...args]);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const zsh = ["env", "-i", "TERM=xterm", ...variables, "zsh", "-i"];
  await tmux("new-session", "-d", "-x", "150", "-y", "60", "-s", "zsh", ...zsh);
  onTestFinished(async () => void (await tmux("kill-server")));
  const screen = async () => (await tmux("capture-pane", "-p", "-t", "zsh")).stdout.trimEnd();
  const shows = (words: RegExp) =>
    eventually(
      async () => {
        const text = await screen();
        return words.test(text) ? text : undefined;
      },
      `the screen shows ${String(words)}`,
    );
  await shows(/^zsh>/m);
  return {
    shows,
    async press(text: string) {
      await tmux("send-keys", "-t", "zsh", "C-u");
      await tmux("send-keys", "-t", "zsh", "-l", text);
      await tmux("send-keys", "-t", "zsh", "Tab");
    },
  };
}

test.skipIf(!isThere("zsh"))("Tab in zsh completes commands, options and the names of agents", async () => {
  const { press, shows } = await openZsh();

  await press("huddle appr");
  await shows(/^zsh> huddle approve/m);
  await press("huddle send be");
  await shows(/^zsh> huddle send ben/m);
  await press("huddle send ben --rep");
  await shows(/^zsh> huddle send ben --reply-to/m);
  await press("huddle send an");
  // Those that are alike stand on one line.
  expect(await shows(/^anton\b/m)).toMatch(/^anton +ann +-- idle$/m);
});

async function openFish() {
  const { home, env } = shellHome();
  const folder = join(home, ".config", "fish", "completions");
  mkdirSync(folder, { recursive: true });
  const { stdout: script } = await run("huddle", ["completion", "fish"], { env });
  writeFileSync(join(folder, "huddle.fish"), script);
  return async function tab(line: string): Promise<string[]> {
    const { stdout } = await run("fish", ["-c", `complete -C '${line}'`], { env, cwd: home });
    return stdout
      .split("\n")
      .filter((offer) => offer !== "")
      .map((offer) => offer.split("\t")[0] ?? "");
  };
}

test.skipIf(!isThere("fish"))(
  "fish offers commands, options, the names of agents, and files where files are meant",
  async () => {
    const tabInFish = await openFish();
    expect(await tabInFish("huddle appr")).toEqual(["approve"]);
    expect(await tabInFish("huddle send an")).toEqual(["ann", "anton"]);
    expect(await tabInFish("huddle send ben --rep")).toEqual(["--reply-to"]);
    expect(await tabInFish("huddle inbox --from b")).toEqual(["ben"]);
    expect(await tabInFish("huddle requests cl")).toEqual(["claim"]);
    expect(await tabInFish("huddle backup b")).toEqual(["bin/"]);
  },
);
