import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { readScore } from "./mutation-score.js";
import type { Part } from "./part.js";
import { whatFailed } from "./what-failed.js";

/*
 * Parts that are a command of their own: they hold when the command ends with 0.
 */

type Command = { argv: readonly string[]; env?: Readonly<Record<string, string>> };

/** What whole hubs do with their files; the first fails where they have not loaded the driver that was asked for. */
const ON_EITHER_DRIVER = [
  "test/e2e/hub-driver",
  "test/e2e-long/accepted-is-on-disk",
  "test/e2e-long/honest-failure",
  "test/e2e-long/storage-fails",
  "test/e2e-long/bad-storage",
  "test/e2e-long/damaged-journal",
  "test/e2e-long/one-hub-per-directory",
  "test/e2e-long/clean-stop",
  "test/e2e/too-few-handles",
  "test/e2e/hosted-full-disk",
  "test/e2e/search-and-history",
];

export const commandParts: readonly Part[] = [
  commandPart("node22", "unit tests on Node 22", node(["scripts/run-on-node.mjs", "22"])),
  commandPart("node24", "unit tests on Node 24", node(["scripts/run-on-node.mjs", "24"])),
  commandPart(
    "packed",
    "the tarball on Node 20, 22 and 24",
    ...["20", "22", "24"].map((version) =>
      node(["scripts/run-on-node.mjs", version, "--", "scripts/try-packed.mjs"]),
    ),
  ),
  commandPart("better-sqlite3", "the journal on better-sqlite3", npm(["run", "test:better-sqlite3"])),
  {
    ...commandPart(
      "better-sqlite3-kills",
      "kills and disk faults on better-sqlite3",
      node(["scripts/install-better-sqlite3.mjs"]),
      node(["scripts/run-tests.mjs", "better-sqlite3", "--project", "e2e*", ...ON_EITHER_DRIVER], {
        HUDDLE_SQLITE: "better-sqlite3",
        HUDDLE_SQLITE_DIR: resolve(process.env["HUDDLE_SQLITE_DIR"] || join(".cache", "better-sqlite3")),
      }),
    ),
    promise: "1, 2, 6, 8",
  },
  commandPart("clients", "real agent CLIs", npm(["run", "test:clients:all"])),
  {
    name: "mutants",
    promise: "15",
    title: "the tests bite",
    count: 600,
    async run({ count }) {
      // The seed is fixed: a score is compared with that of an earlier tree.
      const failure = await run(node(["scripts/mutate.mjs", "--sample", String(count), "--seed", "1"]));
      return failure === undefined ? readScore() : { counts: {}, violations: failure };
    },
    describe: (all) =>
      Object.entries(all[0] ?? {})
        .map(([part, score]) => (part === "mutants" ? `${score} mutants` : `${part} ${score.toFixed(1)}%`))
        .join(", "),
  },
];

function commandPart(name: string, title: string, ...commands: Command[]): Part {
  return {
    name,
    promise: "–",
    title,
    count: 1,
    async run() {
      for (const command of commands) {
        const failure = await run(command);
        if (failure !== undefined) return { counts: {}, violations: failure };
      }
      return { counts: { passed: 1 }, violations: [] };
    },
    describe: ([counts]) => (counts?.["passed"] === 1 ? "passed" : "failed"),
  };
}

function node(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
  return { argv: [process.execPath, ...argv], env };
}

function npm(argv: readonly string[]): Command {
  return { argv: ["npm", ...argv] };
}

/** What it printed last, if it failed. */
function run({ argv, env }: Command): Promise<string[] | undefined> {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      printed = (printed + chunk).slice(-10_000);
    });
  }
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code, signal) =>
      done(
        code === 0 ? undefined : [`${argv.join(" ")} ended with ${signal ?? code}:`, ...whatFailed(printed)],
      ),
    );
  });
}
