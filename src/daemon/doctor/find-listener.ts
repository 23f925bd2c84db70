import { execFile } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { promisify } from "node:util";

type Listener = { pid: number; command: string };

/** The process that listens at a port of this machine; undefined when it is another user's, or cannot be told. */
export async function findListener(port: number): Promise<Listener | undefined> {
  return process.platform === "linux" ? findInProc(port) : findByLsof(port);
}

const LISTENING = "0A";

function findInProc(port: number): Listener | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const inodes = new Set(
    ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) =>
      readOr(file)
        .split("\n")
        .map((line) => line.trim().split(/\s+/))
        .filter(([, local, , state]) => local?.endsWith(`:${hex}`) === true && state === LISTENING)
        .map((fields) => `socket:[${fields[9]}]`),
    ),
  );
  if (inodes.size === 0) return undefined;
  const pid = readdirSync("/proc").find((name) => /^\d+$/.test(name) && holdsOne(name, inodes));
  if (pid === undefined) return undefined;
  return { pid: Number(pid), command: readOr(`/proc/${pid}/comm`).trim() || "a process" };
}

function holdsOne(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((handle) => {
      try {
        return sockets.has(readlinkSync(`/proc/${pid}/fd/${handle}`));
      } catch {
        return false; // Closed meanwhile.
      }
    });
  } catch {
    return false; // Another user's, or gone.
  }
}

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

async function findByLsof(port: number): Promise<Listener | undefined> {
  try {
    const args = ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"];
    const { stdout } = await promisify(execFile)("lsof", args, { timeout: 5000 });
    const pid = /^p(\d+)$/m.exec(stdout)?.[1];
    return pid === undefined
      ? undefined
      : { pid: Number(pid), command: /^c(.+)$/m.exec(stdout)?.[1] ?? "a process" };
  } catch {
    return undefined; // There is no lsof, or it sees nothing.
  }
}
