import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { makeFolder } from "../client/make-folder.js";
import { HubError } from "../model/errors.js";

/*
 * Where one run of the self-test has everything. A home for the CLIs, a home for the hub and a project lie in the person's cache folder:
 * gemini reads no settings below a folder that everybody may write to, as the temporary one is. Temporary files and the sockets of tmux lie in
 * that one: the path of a socket may have about 100 characters, and a home can be long.
 *
 * Whatever ends the run, nothing stays. A watch, a shell of its own, waits for the run's end at a pipe: when that closes without a word,
 * since the run was killed with -9, the watch ends what still runs and removes the folder.
 */

type Environment = Readonly<Record<string, string | undefined>>;

export type Place = {
  folder: string;
  /** Of the CLIs. */
  home: string;
  /** Of the hub. */
  huddleHome: string;
  project: string;
  /** What hub and CLIs may know of the person's shell: no secret, no way to the person's own settings. */
  env: Readonly<Record<string, string>>;
  /** Ends all that runs there. */
  end(): void;
  /** The same, and removes it. */
  clear(): void;
};

/** Programs in the person's home that stand for others: without them a CLI that they installed does not start. */
const versionManagers = [".volta", ".asdf", ".tool-versions", ".nodenv", ".local/share/mise", ".config/mise"];

const kept = /^(PATH|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|HUDDLE_SQLITE\w*)$/;

export function openPlace(env: Environment, personHome: string, proxy: string): Place {
  const folder = makeBelow(cacheFolder(env, personHome), "st-", "XDG_CACHE_HOME");
  const temporary = makeBelow(tmpdir(), "huddle-st-", "TMPDIR");
  const [home, huddleHome] = [join(folder, "home"), join(folder, "hub")];
  const project = join(home, "project");
  for (const path of [home, huddleHome, project]) mkdirSync(path, { mode: 0o700 });
  for (const path of versionManagers) linkTo(join(personHome, path), join(home, path));
  const watch = startWatch(folder, temporary);
  const passed = Object.entries(env).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    return value !== undefined && kept.test(name);
  });
  return {
    folder,
    home,
    huddleHome,
    project,
    env: {
      LANG: "C.UTF-8",
      ...Object.fromEntries(passed),
      ...proxies(proxy),
      TERM: "xterm-256color",
      HOME: home,
      HUDDLE_HOME: huddleHome,
      TMPDIR: temporary,
      TMUX_TMPDIR: temporary,
    },
    end: () => runShell(ending, folder, temporary),
    clear() {
      runShell(clearing, folder, temporary);
      watch.release();
    },
  };
}

function cacheFolder(env: Environment, personHome: string): string {
  const cache = env["XDG_CACHE_HOME"];
  return join(cache !== undefined && isAbsolute(cache) ? cache : join(personHome, ".cache"), "huddle");
}

function makeBelow(parent: string, prefix: string, variable: string): string {
  try {
    makeFolder(parent);
    return mkdtempSync(join(parent, prefix));
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new HubError(
      "FILE_UNUSABLE",
      `The self-test cannot make a folder in ${parent} (${reason})`,
      { file: parent, hint: `Set ${variable} to a folder that you can write to` },
      { cause: error },
    );
  }
}

function linkTo(target: string, link: string): void {
  if (!existsSync(target)) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(target, link);
}

/** Some programs read them in small letters only, some in large. */
function proxies(url: string): Record<string, string> {
  const own = { HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url, NO_PROXY: "127.0.0.1,localhost,::1" };
  return {
    ...own,
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value])),
  };
}

/** Whoever has the home of the place in its environment belongs to it; the shells that end them do not. */
const bareEnvironment = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" };

const ending = `
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  if [ -d /proc/self ]; then
    found=$(LC_ALL=C grep -lzxF "HOME=$1/home" /proc/[0-9]*/environ 2>/dev/null | tr -dc '0-9\\n')
  else
    found=$(ps -axEww -o pid=,command= | grep -F " HOME=$1/home" | grep -v grep | awk '{print $1}')
  fi
  [ -z "$found" ] && break
  kill -s KILL $found 2>/dev/null
  sleep 0.1
done
`;

// What was killed may be writing still.
const clearing = `${ending}
rm -rf "$1" "$2" || { sleep 1; rm -rf "$1" "$2"; }
rmdir "\${1%/*}" 2>/dev/null
`;

function runShell(script: string, ...folders: readonly string[]): void {
  spawnSync("/bin/sh", ["-c", script, "huddle-clear", ...folders], { env: bareEnvironment });
}

const watching = `
trap '' HUP INT TERM
read -r word
[ "$word" = done ] && exit 0
${clearing}
`;

function startWatch(...folders: readonly string[]): { release(): void } {
  const watch = spawn("/bin/sh", ["-c", watching, "huddle-watch", ...folders], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: bareEnvironment,
    cwd: "/",
  });
  watch.stdin.on("error", () => {}); // Somebody ended it: then the run clears up alone.
  watch.on("error", () => {});
  watch.unref();
  return { release: () => void watch.stdin.end("done\n") };
}

/** JSON is YAML. In the file, and not as overrides: a bridge that found no hub would start one by it. */
export function writeSettings(
  { huddleHome, home }: Place,
  backends: Record<string, unknown>,
  readyMs: number,
): void {
  const many = 1_000_000_000;
  const settings = {
    port: 0,
    "agent-comms": { host: "127.0.0.1", port: 0 },
    allowed_roots: [home],
    backends,
    // Nobody is slowed down, or asked whether agents may go on.
    cooldown: { delays: ["0s"], cap: 0 },
    conversation: { hops: many, messages: many, unattended: many },
    // On a busy machine a screen may take longer than a person would wait for it.
    tmux: { timeout_secs: 20, ready_timeout_secs: Math.max(1, Math.round(readyMs / 1000)) },
  };
  writeFileSync(join(huddleHome, "huddle.yaml"), `${JSON.stringify(settings)}\n`, { mode: 0o600 });
}
