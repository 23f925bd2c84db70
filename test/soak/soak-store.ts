import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Part, SliceResult } from "./part.js";

/*
 * What the soak found, one file per part and count, in a folder for this state of the sources. Documents do not count: the
 * figures are written into one of them.
 */

export type StoredSlice = SliceResult & { seconds: number };

export type PartResult = {
  part: string;
  count: number;
  seed: number;
  commit: string;
  at: string;
  isDone: boolean;
  slices: readonly StoredSlice[];
};

export type SoakStore = {
  folder: string;
  read(part: Part, count: number): PartResult | undefined;
  write(result: PartResult): void;
  forget(part: Part, count: number): void;
};

const SOURCES = ["src", "test", "scripts", "package.json", "package-lock.json"];

export function openSoakStore(): SoakStore {
  const folder = join(".cache", "soak", sourceState());
  const fileOf = (part: string, count: number) => join(folder, `${part}-${count}.json`);
  return {
    folder,
    read(part, count) {
      const file = fileOf(part.name, count);
      return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as PartResult) : undefined;
    },
    write(result) {
      mkdirSync(folder, { recursive: true });
      const file = fileOf(result.part, result.count);
      writeFileSync(`${file}.new`, `${JSON.stringify(result, null, 2)}\n`);
      renameSync(`${file}.new`, file);
    },
    forget(part, count) {
      rmSync(fileOf(part.name, count), { force: true });
    },
  };
}

export function currentCommit(): string {
  return git("rev-parse", "--short", "HEAD").trim();
}

/** The same for two commits that differ in documents only. */
function sourceState(): string {
  const committed = git("ls-tree", "HEAD", ...SOURCES);
  const changed = git("diff", "HEAD", "--", ...SOURCES);
  return createHash("sha256").update(committed).update(changed).digest("hex").slice(0, 12);
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 1e9 });
}
