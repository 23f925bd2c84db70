import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Memory where there is some: these tests are about what is stored, not about the disk. */
const root = () => process.env["HUDDLE_TEST_MEMORY"] ?? (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

/** A folder that goes when the test ends. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(root(), "huddle-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
