import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/*
 * The order in which files run. A long one that began last would keep the machine waiting with one core idle; and files share a process
 * only with the next of their project, so projects are kept together, the one with the longest files first.
 */

/** Those that took longest beside the others. Whatever is missing here only begins later. */
const longest = [
  "fabric-split",
  "fabric-namespaces",
  "selftest-faults",
  "fuzz",
  "doc-commands",
  "demo",
  "fabric-cluster",
  "worktrees",
  "cut-turns",
  "fabric-directory",
  "fabric",
  "selftest-ends",
  "workflow-files",
  "hook-wake",
  "bad-storage",
  "private-mail",
  "hosted-panes",
  "obligations",
  "statuses",
  "packed",
  "storage-fails",
  "inject",
  "typing-race",
  "hosted-agents",
  "bridge",
  "hosted-pane",
  "acp-runtime",
  "fifo-per-pair",
];
const projects = ["e2e", "e2e-long", "unit", "unit-shared"];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted
      .map((file, index) => ({ file, place: [place(projects, file.project.name), placeOf(file), index] }))
      .sort((a, b) => compare(a.place, b.place))
      .map(({ file }) => file);
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  return place(longest, basename(moduleId, ".test.ts"));
}

function place(names: readonly string[], name: string): number {
  const at = names.indexOf(name);
  return at === -1 ? names.length : at;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, left] of a.entries()) {
    const difference = left - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
