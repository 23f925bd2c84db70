import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Says which file begins, and at the end which tests did not pass at first: a retry is allowed, but not hidden. */
export function createRetryReporter(): Reporter {
  return {
    onTestModuleStart: (module) => console.log(` ▶  ${nameOf(module)}`),
    onTestRunEnd(modules) {
      const retried = modules.flatMap((module) => [...module.children.allTests()].filter(isRetried));
      if (retried.length === 0) console.log("No test needed a retry.");
      else console.log(["Tests that needed a retry:", ...retried.map(describeRetry)].join("\n"));
    },
  };
}

function isRetried(test: TestCase): boolean {
  return (test.diagnostic()?.retryCount ?? 0) > 0;
}

/** With the first line of what went wrong at first. */
function describeRetry(test: TestCase): string {
  const { retryCount = 0, flaky = false } = test.diagnostic() ?? {};
  const [why] = test.result().errors?.[0]?.message.split("\n") ?? [];
  const outcome = flaky ? "passed" : "failed";
  return ` ↻  ${nameOf(test.module)} > ${test.fullName}: ${outcome} at try ${retryCount + 1}. First: ${why ?? "?"}`;
}

function nameOf({ project, relativeModuleId }: TestModule): string {
  return `${project.name}  ${relativeModuleId}`;
}
