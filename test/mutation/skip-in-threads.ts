import { isMainThread } from "node:worker_threads";
import { TestRunner } from "vitest";

/*
 * Stryker runs the tests in a thread, which cannot become another user. A test that tries is skipped there.
 */
if (!isMainThread) {
  process.seteuid = () => {
    TestRunner.getCurrentTest()?.context.skip("a thread cannot become another user");
  };
}
