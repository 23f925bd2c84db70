import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DefineCommand } from "../context.js";

type McpOptions = Readonly<
  Record<"identity" | "name" | "team" | "tools" | "joinAfter", string | undefined>
> & {
  wake?: true;
};

export const define: DefineCommand = (command, act) => {
  command
    .option("--identity <file>", "act as the agent of this file (see: huddle identity)")
    .option("--name <name>", "the name to register; default: from the CLI and the folder")
    .option("--team <team>", "the team to register in; default: main")
    .option("--tools <set>", "huddle (default), agent, orchestrator, tabs or sessions")
    .option(
      "--join-after <seconds>",
      "register this long after a client connected; default: 3, or its first call",
    )
    .option("--wake", "let mail start turns in a codex session on your screen")
    .addHelpText(
      "after",
      "\nAgent CLIs are wired to the same program without this command in front, which starts faster:\n" +
        "  node …/dist/mcp-bridge.cjs",
    )
    .action((options: McpOptions) => act(({ io }) => runBridge(io.self.at(-1) ?? "", options)));
};

/** The bridge is a program of its own beside this one. It takes over stdin and stdout, and ends the process. */
async function runBridge(program: string, options: McpOptions): Promise<never> {
  const bridge = join(dirname(program), "mcp-bridge.cjs");
  const { wake, joinAfter, ...named } = options;
  const given = Object.entries({ ...named, "join-after": joinAfter }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  if (wake) given.push("--wake");
  process.argv = [process.execPath, bridge, ...given];
  await import(pathToFileURL(bridge).href);
  return new Promise<never>(() => {});
}
