import { join } from "node:path";
import { installed, newerNode } from "./installed.js";
import { run } from "./run-suite.js";

const VERSION = "2.12.0";
const CALL_MS = 60_000;

/** The inspector's command line lists the tools of a server and calls one; answers what is wrong, in words. */
export async function inspect(what: string, server: readonly string[], self: string): Promise<string[]> {
  const program = join(
    installed("@modelcontextprotocol/inspector", VERSION),
    "clients",
    "launcher",
    "build",
    "index.js",
  );
  const ask = (...args: string[]) =>
    run(newerNode(), [program, "--cli", ...server, ...args], CALL_MS).catch((error: unknown) =>
      String(error),
    );
  const listed = await ask("--method", "tools/list");
  const called = await ask("--method", "tools/call", "--tool-name", "list_agents");
  return [
    ...(listed.includes('"name": "send_message"') ? [] : [`inspector over ${what}, tools/list: ${listed}`]),
    ...(called.includes(`\\"self\\":\\"${self}\\"`) ? [] : [`inspector over ${what}, tools/call: ${called}`]),
  ];
}
