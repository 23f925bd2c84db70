import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, expect } from "vitest";

/*
 * Appends what each test file computed, with the processes that it waited for, to the file that HUDDLE_TEST_CPU names: on a busy machine
 * the time on the clock says little. Linux only.
 */
const target = process.env["HUDDLE_TEST_CPU"];
/** Of the kernel, as `getconf CLK_TCK` says. */
const TICKS_PER_SECOND = 100;

if (target !== undefined) {
  const before = spent();
  const began = performance.now();
  const file = relative(process.cwd(), expect.getState().testPath ?? "");
  afterAll(() => {
    const after = spent();
    const seconds = {
      own: after.own - before.own,
      children: after.children - before.children,
      clock: (performance.now() - began) / 1000,
    };
    appendFileSync(target, `${JSON.stringify({ file, ...seconds })}\n`);
  });
}

function spent(): { own: number; children: number } {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const afterName = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = afterName.slice(11, 15);
  return {
    own: (user + system) / TICKS_PER_SECOND,
    children: (childUser + childSystem) / TICKS_PER_SECOND,
  };
}
