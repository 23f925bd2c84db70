import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

/** Sources compiled for child processes to import: Node 20 runs no TypeScript, and a unit test has no build. */
export type CompiledSources = { url(module: string): string; remove(): void };

/** `modules` are paths below src/, such as `daemon/lock.ts`; what they import is bundled with them. */
export async function compileSources(...modules: string[]): Promise<CompiledSources> {
  // Inside the project, so that packages resolve.
  mkdirSync(".cache", { recursive: true });
  const folder = mkdtempSync(resolve(".cache", `children-${process.pid}-`));
  const bundle = await rolldown({
    input: Object.fromEntries(modules.map((module) => [nameOf(module), join("src", module)])),
    platform: "node",
    external: /^[^./]/,
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].js" });
  await bundle.close();
  return {
    url: (module) => pathToFileURL(join(folder, `${nameOf(module)}.js`)).href,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function nameOf(module: string): string {
  return module.replace(/\.ts$/, "");
}

export type Child = {
  pid: number;
  /** The next line that it prints, as JSON; rejects when it ends first. */
  answer(): Promise<unknown>;
  say(line: string): void;
  /** SIGKILL, and wait until it is gone. */
  kill(): Promise<void>;
};

/** Runs the text of an ES module in a process of its own. */
export function startChild(script: string): Child {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: pidOf(child),
    async answer() {
      const line = await lines.next();
      if (line.done === true) throw new Error(`the child ended without an answer: ${String(await ended)}`);
      const answer: unknown = JSON.parse(line.value);
      return answer;
    },
    say: (line) => void child.stdin.write(`${line}\n`),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("the child did not start");
  return child.pid;
}
