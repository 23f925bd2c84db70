import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync, unwatchFile, watchFile } from "node:fs";
import { delimiter, join } from "node:path";
import { HubError } from "../model/errors.js";
import { SERVER_CONF } from "./server-files.js";

/** Debian puts it where only root looks. */
const PLACES = ["/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

export function findNatsServer(path: string | undefined, folder: string): string {
  const folders = [...(path ?? "").split(delimiter), ...PLACES];
  const found = folders.map((one) => join(one, "nats-server")).find(isProgram);
  if (found !== undefined) return found;
  throw new HubError(
    "FABRIC_UNUSABLE",
    `nats-server is not installed here. Install it (apt-get install nats-server, brew install nats-server), or run it in a container: docker compose up -d in ${folder}`,
  );
}

/** Whether this is the folder of a server. */
export const hasServer = (folder: string) => existsSync(join(folder, SERVER_CONF));

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs the server until `signal` ends it; it reads its configuration again whenever that was written. Throws where it ends by itself. */
export async function runServer(program: string, folder: string, signal: AbortSignal): Promise<void> {
  const child = spawn(program, ["-c", SERVER_CONF], { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  const ended = once(child, "exit");
  const conf = join(folder, SERVER_CONF);
  watchFile(conf, { interval: 200, persistent: false }, () => void child.kill("SIGHUP"));
  const stop = () => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    await ended;
    if (!signal.aborted) throw endedByItself(child);
  } finally {
    unwatchFile(conf);
    signal.removeEventListener("abort", stop);
  }
}

function endedByItself({ exitCode, signalCode }: ChildProcess): HubError {
  const how = signalCode ?? `exit code ${exitCode}`;
  return new HubError(
    "FABRIC_UNUSABLE",
    `nats-server has ended by itself (${how}); its own lines above may say why. Mail waits in the hubs. Start it again: huddle fabric up`,
  );
}
