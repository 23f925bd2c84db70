import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { parseJson } from "../../model/parse-json.js";
import type { RuntimeKind } from "../backend.js";

/*
 * What was seen of the ways to run each backend, with the version that its program had: that it ended as it started, and how its last
 * self-test went. Kept in a file, so that a restart of the hub does not try again what does not work; a file that cannot be read or written
 * costs one more try, and nothing else.
 *
 * The hub and `huddle selftest` both write it. Each changes its own entry of the file as it stands, and looks at the file again when that
 * is another.
 */

const selftest = z.object({
  /** Behaviours that failed; none: it works. */
  fails: z.array(z.string()),
  /** What the CLI said its version was. */
  version: z.string().nullable(),
  /** When it ended. */
  at: z.string(),
});
/** How the self-test of one way to run a backend went. */
export type SelftestRecord = z.infer<typeof selftest>;

const entry = z.object({
  /** Path, time and size of the program: another version is another file, or the same one written anew. */
  program: z.string(),
  broken: z.literal(true).optional(),
  selftest: selftest.optional(),
});
type Entry = z.infer<typeof entry>;

/** One way to run a backend: the backend's name, the runtime, and the file of the program that is started for it. */
type RuntimeUse = { backend: string; runtime: RuntimeKind; program: string };

export type KnownRuntimes = {
  isBroken(use: RuntimeUse): boolean;
  selftest(use: RuntimeUse): SelftestRecord | undefined;
  /** It ended as it started. */
  noteBroken(use: RuntimeUse): void;
  /** It started: whatever kept it from that is over. */
  noteStarted(use: Omit<RuntimeUse, "program">): void;
  noteSelftest(use: RuntimeUse, record: SelftestRecord): void;
};

type Entries = ReadonlyMap<string, Entry>;

export function createKnownRuntimes(file: string, onError: (error: unknown) => void): KnownRuntimes {
  let known: Entries = new Map();
  let seen: string | undefined;

  function current(): Entries {
    const mark = markOf(file);
    if (mark !== seen) [known, seen] = [read(file), mark];
    return known;
  }

  function change(key: string, changed: Entry | undefined) {
    const entries = new Map(current());
    if (changed === undefined) entries.delete(key);
    else entries.set(key, changed);
    known = entries;
    try {
      write(file, entries);
    } catch (error) {
      onError(error);
    }
    seen = markOf(file);
  }

  /** Of this very version. */
  function find({ backend, runtime, program }: RuntimeUse): Entry | undefined {
    const found = current().get(`${backend} ${runtime}`);
    return found?.program === versionOf(program) ? found : undefined;
  }

  return {
    isBroken: (use) => find(use)?.broken === true,
    selftest: (use) => find(use)?.selftest,
    noteBroken(use) {
      change(keyOf(use), { ...find(use), program: versionOf(use.program), broken: true });
    },
    noteStarted(use) {
      const found = current().get(keyOf(use));
      if (found?.broken !== true) return;
      const { broken: _, ...rest } = found;
      change(keyOf(use), rest.selftest === undefined ? undefined : rest);
    },
    noteSelftest(use, record) {
      change(keyOf(use), { program: versionOf(use.program), selftest: record });
    },
  };
}

function keyOf({ backend, runtime }: Omit<RuntimeUse, "program">): string {
  return `${backend} ${runtime}`;
}

function read(file: string): Entries {
  const known = new Map<string, Entry>();
  try {
    const kept = parseJson(readFileSync(file, "utf8"));
    for (const [key, value] of Object.entries(kept ?? {})) {
      const decoded = entry.safeParse(value);
      if (decoded.success) known.set(key, decoded.data);
    }
  } catch {
    // None yet: what does not work will be seen again.
  }
  return known;
}

function write(file: string, entries: Entries): void {
  const fresh = `${file}.${process.pid}.new`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`, {
    mode: 0o600,
    flag: "wx",
  });
  renameSync(fresh, file);
}

function versionOf(program: string): string {
  const { mtimeMs, size } = statSync(program);
  return `${program} ${mtimeMs} ${size}`;
}

function markOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return `${stats?.ino} ${stats?.mtimeMs} ${stats?.size}`;
}
