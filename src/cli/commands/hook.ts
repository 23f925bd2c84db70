import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DefineCommand } from "../context.js";

type HookOptions = { wake?: true; printSettings?: true; verbose?: true; identity?: string; within?: string };

export const define: DefineCommand = (command, act) => {
  command
    .option("--wake", "wait in the background while the session is idle, and wake it when mail comes")
    .option("--identity <file>", "the identity file that the session's bridge was given, if it was")
    .option("--within <ms>", "how long it may take, in milliseconds; default 500")
    .option("--print-settings", "print what goes into the settings of Claude Code")
    .option("--verbose", "say on stderr why there is no mail")
    .addHelpText(
      "after",
      "\nClaude Code runs the same program without this command in front, which starts faster:\n" +
        "  huddle hook --print-settings",
    )
    .action((options: HookOptions) => act(({ io }) => runHook(io.self.at(-1) ?? "", options)));
};

/** The hook is a program of its own beside this one. It takes over stdin and stdout, and ends the process. */
async function runHook(program: string, options: HookOptions): Promise<never> {
  const hook = join(dirname(program), "hook.cjs");
  process.argv = [
    process.execPath,
    hook,
    ...(options.wake ? ["--wake"] : []),
    ...(options.printSettings ? ["--print-settings"] : []),
    ...(options.verbose ? ["--verbose"] : []),
    ...(options.identity === undefined ? [] : [`--identity=${options.identity}`]),
    ...(options.within === undefined ? [] : [`--within=${options.within}`]),
  ];
  await import(pathToFileURL(hook).href);
  return new Promise<never>(() => {});
}
