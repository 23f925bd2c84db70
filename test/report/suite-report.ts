/** What one run of vitest did: written by the reporter, judged by `scripts/run-tests.mjs`. */
export type SuiteReport = {
  passed: number;
  failed: number;
  /** Without those that `-t` left out. */
  skipped: { file: string; name: string; note: string }[];
  retried: { file: string; name: string; tries: number; state: string }[];
  files: { file: string; tests: number; seconds: number }[];
};
