import { resolve } from "node:path";
import { type HookSettings, WITHIN_MS } from "./hook-settings.js";

/** A day: a session that waits longer than that is woken by nobody. */
const WAKE_SECONDS = 86_400;
/** What the hook itself keeps to is much less. */
const ONCE_SECONDS = 30;

/** What goes into the settings of Claude Code. */
export function hookEntries(
  program: string,
  { identityFile, withinMs }: HookSettings,
  env: NodeJS.ProcessEnv,
) {
  const home = env["HUDDLE_HOME"];
  const command = [
    "exec",
    ...(home ? ["env", `HUDDLE_HOME=${home}`] : []),
    process.execPath,
    program,
    ...(identityFile === undefined ? [] : ["--identity", resolve(identityFile)]),
  ]
    .map(quote)
    .join(" ");
  const within = withinMs === WITHIN_MS ? "" : ` --within ${withinMs}`;
  const once = { type: "command", command: command + within, timeout: ONCE_SECONDS };
  const wake = { type: "command", command: `${command} --wake`, asyncRewake: true, timeout: WAKE_SECONDS };
  return {
    hooks: {
      SessionStart: [{ hooks: [once, wake] }],
      UserPromptSubmit: [{ hooks: [once] }],
      PostToolUse: [{ hooks: [once] }],
      Stop: [{ hooks: [once, wake] }],
    },
  };
}

function quote(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
