#!/usr/bin/env node
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";

/** Asked for by commands that wait: from then on Ctrl-C ends the waiting instead of the program. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort(new Error("interrupted")));
  return controller.signal;
}

// `huddle tail | head`: whoever read us has seen enough.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}

// Everything is loaded from here on: what is built has its files one folder below this one, as deep as they are in the sources.
const { runCli } = await import("./cli/run-cli.js");
process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  home: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: Date.now,
  interruption,
  self: [process.execPath, fileURLToPath(import.meta.url)],
  loadDaemon: async () => (await import("./daemon/daemon.js")).daemon,
});
