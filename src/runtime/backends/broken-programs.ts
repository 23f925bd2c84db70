import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { parseJson } from "../../model/parse-json.js";

/*
 * Which programs ended as they started, in the versions that they had. Kept in a file, so that a restart of the hub does
 * not try them again; a file that cannot be read or written costs one more try, and nothing else.
 */

export type BrokenPrograms = {
  has(use: string, program: string): boolean;
  add(use: string, program: string): void;
  remove(use: string): void;
};

export function createBrokenPrograms(file: string, onError: (error: unknown) => void): BrokenPrograms {
  const broken = read(file);

  function keep() {
    const fresh = `${file}.new`;
    try {
      rmSync(fresh, { force: true });
      writeFileSync(fresh, `${JSON.stringify(Object.fromEntries(broken))}\n`, { mode: 0o600, flag: "wx" });
      renameSync(fresh, file);
    } catch (error) {
      onError(error);
    }
  }

  return {
    has: (use, program) => broken.get(use) === versionOf(program),
    add(use, program) {
      broken.set(use, versionOf(program));
      keep();
    },
    remove(use) {
      if (broken.delete(use)) keep();
    },
  };
}

function read(file: string): Map<string, string> {
  const known = new Map<string, string>();
  try {
    const kept = parseJson(readFileSync(file, "utf8"));
    for (const [use, version] of Object.entries(kept ?? {})) {
      if (typeof version === "string") known.set(use, version);
    }
  } catch {
    // None yet, or damaged: what is broken will be seen again.
  }
  return known;
}

/** Another version is another file, or the same one written anew. */
function versionOf(program: string): string {
  const { mtimeMs, size } = statSync(program);
  return `${program} ${mtimeMs} ${size}`;
}
