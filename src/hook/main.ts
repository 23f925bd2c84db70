/*
 * `huddle hook`: what Claude Code runs at its events in a session that a person started and that is connected by the bridge.
 * The build makes one CommonJS file of this folder, dist/hook.cjs.
 *
 * It fails open: whatever is missing, slow or broken, it ends with 0 and says nothing, within half a second, and the
 * session goes on as if it were not there.
 */
import { findCli } from "./find-cli.js";
import { findIdentity, readIdentityFile } from "./find-identity.js";
import { handOver } from "./hand-over.js";
import { openHandovers } from "./handovers.js";
import type { HookContext } from "./hook-context.js";
import { readEvent } from "./hook-event.js";
import { type HookSettings, readHookSettings } from "./hook-settings.js";
import { hookEntries } from "./print-settings.js";
import { readProcessTree } from "./process-tree.js";
import { readStdin, writeAll } from "./stdio.js";
import { wake } from "./wake.js";

/** Waiting for mail that comes later makes sense in a terminal only: elsewhere Claude Code waits for the hook to end. */
const TERMINAL = "cli";

const settings = readHookSettings(process.argv.slice(2), process.env);
const say = (what: string) => {
  if (settings.verbose) process.stderr.write(`huddle hook: ${what}\n`);
};

const USAGE = "Usage: huddle hook [--wake | --print-settings] [--identity FILE] [--within MS] [--verbose]";

if (settings.mode === "help") {
  writeAll(USAGE, 2);
  // Not 2: that would mean something to the program.
  process.exit(1);
}
if (settings.mode === "print") {
  writeAll(JSON.stringify(hookEntries(__filename, settings, process.env), null, 2), 1);
  process.exit(0);
}
if (settings.mode === "once") setTimeout(() => leave("out of time"), settings.withinMs - performance.now());
run(settings).then(process.exit, (error: unknown) => leave(String(error)));

async function run({ mode, standsAside, withinMs }: HookSettings): Promise<number> {
  if (standsAside) return pass("the hub runs this session itself");
  if (mode === "wake" && process.env["CLAUDE_CODE_ENTRYPOINT"] !== TERMINAL) return pass("no terminal");
  const event = readEvent(await readStdin());
  if (event === undefined) return pass("not an event of a session");
  const context = openContext();
  if (context === undefined) return pass("no CLI above");
  if (mode === "once") {
    await handOver(event, context, withinMs);
    return 0;
  }
  return event.name === "Stop" || event.name === "SessionStart" ? wake(event, context) : pass("not idle");
}

function openContext(): HookContext | undefined {
  const { data, identityFile } = settings;
  const cli = findCli(readProcessTree(), process.pid, process.env["CLAUDE_PID"]);
  if (cli === undefined) return undefined;
  return {
    cli,
    identity: () =>
      identityFile === undefined
        ? findIdentity(data, cli, readProcessTree())
        : readIdentityFile(data, identityFile),
    handovers: openHandovers(data, cli),
    say,
  };
}

function pass(why: string): number {
  say(why);
  return 0;
}

function leave(why: string): never {
  say(why);
  process.exit(0);
}
