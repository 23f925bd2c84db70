import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Edit, plant } from "./planted-fault.js";

/*
 * A copy of the checkout, for faults to be planted in one after the other. It has the packages of the checkout and what was built of it;
 * only the hub is bundled anew.
 */

export type ChangedCopy = {
  folder: string;
  /** Changes the sources, until `undo`. */
  plant(edits: readonly Edit[]): { undo(): void };
  remove(): void;
};

const left = new Set([".git", ".cache", "node_modules"]);

/** What a broken hub never does is waited out, in each test anew: for less long than where others run beside it. */
const lessPatient: readonly Edit[] = [
  { file: "test/fakes/patience.ts", find: "PATIENCE_MS = 90_000", put: "PATIENCE_MS = 30_000" },
  { file: "vitest.config.ts", find: "testTimeout: 300_000", put: "testTimeout: 60_000" },
  { file: "vitest.config.ts", find: "testTimeout: 600_000", put: "testTimeout: 240_000" },
];

export function copyCheckout(): ChangedCopy {
  const folder = mkdtempSync(join(tmpdir(), "huddle-planted-"));
  for (const entry of readdirSync(".").filter((name) => !left.has(name)))
    cpSync(entry, join(folder, entry), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));

  function change(edits: readonly Edit[]) {
    const before = new Map<string, string>();
    for (const edit of edits) {
      const path = join(folder, edit.file);
      const text = readFileSync(path, "utf8");
      if (!before.has(path)) before.set(path, text);
      writeFileSync(path, plant(text, edit));
    }
    return {
      undo() {
        for (const [path, text] of before) writeFileSync(path, text);
      },
    };
  }

  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove); // Of a run that was interrupted, too.
  change(lessPatient);
  return { folder, plant: change, remove };
}
