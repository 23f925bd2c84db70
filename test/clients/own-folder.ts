import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { clientsFolder } from "../../scripts/client-programs.mjs";
import { living } from "../fakes/runtime-host.js";
import { eventually } from "./eventually.js";
import { killIfThere, processesWith } from "./processes.js";
import { clientTemp } from "./run-client.js";

/*
 * Before each file: a folder for everything that it makes, homes, data, sockets of tmux, temporary files of the CLIs. So two
 * files can run at once. After it: the folder goes, and a process that still names it fails the file.
 */

// Not below a folder that everybody may write to: gemini reads no configuration there.
mkdirSync(clientsFolder(), { recursive: true });
removeAbandoned();
const folder = mkdtempSync(join(clientsFolder(), `run-${process.pid}-`));
process.env["TMPDIR"] = folder;
mkdirSync(clientTemp());
process.env["TMUX_TMPDIR"] = folder;
// Of what is run without a home of its own, such as `codex exec --help`, which makes folders there. The CLIs stay where they are.
process.env["HUDDLE_CLIENTS_DIR"] = clientsFolder();
process.env["HOME"] = join(folder, "home");
mkdirSync(process.env["HOME"]);

afterAll(async () => {
  const left = () => processesWith((environment) => environment.includes(folder));
  let last = left();
  // What was told to end may take its moment.
  await eventually(
    "all processes have ended",
    () => {
      last = left();
      return last.length === 0;
    },
    10_000,
  ).catch(() => {});
  for (const { pid } of last) killIfThere(pid);
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  if (last.length > 0) {
    const names = last.map(({ pid, argv }) => `${pid} ${argv.replaceAll("\0", " ")}`);
    throw new Error(`still running after the tests:\n${names.join("\n")}`);
  }
}, 60_000);

/** Folders of runs that were killed. */
function removeAbandoned(): void {
  for (const name of readdirSync(clientsFolder())) {
    const [, pid] = /^run-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && living([Number(pid)]).length === 0)
      rmSync(join(clientsFolder(), name), { recursive: true, force: true, maxRetries: 5 });
  }
}
