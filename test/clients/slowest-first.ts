import { BaseSequencer, type TestSpecification } from "vitest/node";
import type { ClientName } from "./client.js";

/* The order in which the files run, so that none that is slow begins last, and those of a project, which share processes, follow each other. */

/** From the CLI that takes longest to start to the one that is there at once. */
export const slowestFirst: readonly ClientName[] = [
  "qwen",
  "opencode",
  "droid",
  "gemini",
  "copilot",
  "codex",
  "claude",
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ project }: TestSpecification) => slowestFirst.map(String).indexOf(project.name);
    // Those with several vendors' CLIs are as slow as the slowest.
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
