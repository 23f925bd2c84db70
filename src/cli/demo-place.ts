import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { readHubFile } from "../client/hub-file.js";
import { resolvePaths } from "../client/paths.js";
import { HubError } from "../model/errors.js";
import type { CliIo } from "./cli-io.js";
import { type CliContext, openContext } from "./context.js";

/** Where one run of the demo has everything: a hub's home of its own, and a project that its agents may work in. */
export type DemoPlace = { cli: CliContext; home: string; project: string; bridge: readonly [string, string] };

/** A hub there shares nothing with the one that the person may run: neither files nor the port. */
export function openDemoPlace({ io, globals, describe }: CliContext): DemoPlace {
  const home = makeHome();
  const project = join(home, "shop");
  mkdirSync(join(project, "build"), { recursive: true });
  const programs = dirname(io.self.at(-1) ?? "");
  const config = {
    port: 0,
    allowed_roots: [project],
    backends: { scripted: { acp: [process.execPath, join(programs, "lib", "demo-agent.js")] } },
  };
  // JSON is YAML. In the file, and not as overrides: a bridge that found no hub would start one by it.
  writeFileSync(join(home, "huddle.yaml"), `${JSON.stringify(config)}\n`, { mode: 0o600 });
  const env = { ...withoutHuddle(io.env), HUDDLE_HOME: home };
  return {
    cli: openContext({ ...io, env }, { ...globals, hub: undefined }, describe),
    home,
    project,
    bridge: [process.execPath, join(programs, "mcp-bridge.cjs")],
  };
}

const HOME_BEGINS = "huddle-demo-";

function makeHome(): string {
  const folder = tmpdir();
  try {
    return mkdtempSync(join(folder, HOME_BEGINS));
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new HubError(
      "FILE_UNUSABLE",
      `The demo cannot make a folder in ${folder} (${reason})`,
      { file: folder, hint: "Set TMPDIR to a folder that you can write to" },
      { cause: error },
    );
  }
}

/** Nothing that leads to another hub, or makes somebody else of its agents. */
function withoutHuddle(env: CliIo["env"]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isOurs = /^(HUDDLE|JANUS)_/.test(name) && !name.startsWith("HUDDLE_SQLITE");
    if (value !== undefined && !isOurs) kept[name] = value;
  }
  return kept;
}

/** When the program ends in the middle: at once, without a word, and without leaving anything. */
export function clearDemoPlace(home: string): void {
  const pid = readHubFile(resolvePaths({ HUDDLE_HOME: home }, home).hubFile)?.pid;
  if (pid !== undefined) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Runs the demo's hub until it stops. However the demo ends, the pipe that it holds closes: when nobody is left to stop the hub and
 * to clear up after it, as after a `kill -9`, the hub does both itself.
 */
export async function runThrownAway(
  { io, paths }: CliContext,
  run: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const left = new AbortController();
  void awaitEnd(io.stdin).then(() => left.abort());
  try {
    return await run(left.signal);
  } finally {
    io.stdin.destroy?.(); // Or it would keep a hub that was stopped from ending.
    if (left.signal.aborted && basename(paths.data).startsWith(HOME_BEGINS))
      rmSync(paths.data, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function awaitEnd(stdin: CliIo["stdin"]): Promise<void> {
  try {
    for await (const _ of stdin);
  } catch {
    // It is gone as well.
  }
}
