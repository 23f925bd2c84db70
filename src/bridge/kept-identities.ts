import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "./json.js";
import { startOf } from "./process-start.js";
import { findTerminal, isClosed } from "./terminal.js";

/*
 * The identities that bridges registered, for when their CLI starts again: a file each, readable by its user only, and
 * named TERMINAL.PID-START.json after the terminal it is of and the process that holds it. Taking one over is a rename
 * to a name of one's own, which only one of two can do, so two bridges never share one.
 */

type Kept = { name: string; token: string; file: string };
/** `holder` is the process of the bridge that has, or had, it. */
type Entry = { file: string; terminal: string; holder: number; isHeld: boolean };

const FORGOTTEN_MS = 30 * 24 * 3_600_000;

type KeptIdentities = {
  /**
   * Takes over the one of this key that this terminal had; else one of a terminal that is closed, or, with
   * `anyTerminal`, of any: nobody holds it, and nobody else will come back for it.
   */
  take(key: string, anyTerminal: boolean): Kept | undefined;
  keep(key: string, identity: { name: string; token: string }): string;
  /** Those that nobody came back for in a month; they are removed here. */
  takeForgotten(now: number): { name: string; token: string }[];
};

export function openKeptIdentities(folder: string): KeptIdentities {
  const list = () => listKept(folder);
  return {
    take(key, anyTerminal) {
      const here = findTerminal();
      const free = list().filter(({ isHeld }) => !isHeld);
      const others = free.filter(({ terminal }) => terminal !== here && (anyTerminal || isClosed(terminal)));
      for (const { file } of [...free.filter(({ terminal }) => terminal === here), ...others]) {
        const kept = read(file);
        if (kept?.key !== key) continue;
        const own = ownFile(folder, here);
        if (rename(file, own)) return { name: kept.name, token: kept.token, file: own };
      }
      return undefined;
    },
    keep(key, { name, token }) {
      const file = ownFile(folder, findTerminal());
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(file, JSON.stringify({ key, name, token }), { mode: 0o600 });
      return file;
    },
    takeForgotten(now) {
      return list().flatMap(({ file, isHeld }) => {
        const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
        if (isHeld || now - since < FORGOTTEN_MS) return [];
        const kept = read(file);
        const mine = `${file}.forgotten`;
        if (!rename(file, mine)) return [];
        rmSync(mine, { force: true });
        return kept === undefined ? [] : [kept];
      });
    },
  };
}

export function listKept(folder: string): Entry[] {
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {} // None yet.
  return names.flatMap((name) => {
    const [, terminal, pid, start] = /^([\w-]+)\.(\d+)-(\d+)\.json$/.exec(name) ?? [];
    if (terminal === undefined) return [];
    const holder = Number(pid);
    return [{ file: join(folder, name), terminal, holder, isHeld: startOf(holder) === start }];
  });
}

function ownFile(folder: string, terminal: string): string {
  return join(folder, `${terminal}.${process.pid}-${startOf(process.pid) ?? "0"}.json`);
}

function read(file: string): { key: string; name: string; token: string } | undefined {
  const { key, name, token } = readJson(file) ?? {};
  if (typeof key !== "string" || typeof name !== "string" || typeof token !== "string") return undefined;
  return { key, name, token };
}

/** False when another bridge was faster. */
function rename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    utimesSync(to, new Date(), new Date());
    return true;
  } catch {
    return false;
  }
}
