import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from "vitest/node";
import type { SuiteReport } from "./suite-report.js";

const EVERY_MS = 20_000;

/**
 * Writes what happened to the file that HUDDLE_TEST_REPORT names, for `scripts/run-tests.mjs` to judge, and says now and
 * then how far a long run is.
 */
export class SuiteReporter implements Reporter {
  #total = 0;
  #ended = 0;
  readonly #running = new Map<string, number>();
  #progress: NodeJS.Timeout | undefined;
  readonly #began = performance.now();
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#total = specifications.length;
    this.#progress = setInterval(() => this.#sayProgress(), EVERY_MS).unref();
  }

  onTestModuleQueued(module: TestModule): void {
    this.#running.set(nameOf(module), performance.now());
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(nameOf(module));
    this.#ended++;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    clearInterval(this.#progress);
    const file = process.env["HUDDLE_TEST_REPORT"];
    if (file === undefined) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      `${JSON.stringify(describeRun(modules, this.#vitest?.config.testNamePattern), null, 1)}\n`,
    );
  }

  #sayProgress(): void {
    const now = performance.now();
    const running = [...this.#running].map(([name, since]) => `${name} (${seconds(now - since)} s)`);
    console.log(
      `   … ${seconds(now - this.#began)} s, ${this.#ended} of ${this.#total} files; running: ${running.join(", ") || "–"}`,
    );
  }
}

function describeRun(modules: readonly TestModule[], wanted: RegExp | undefined): SuiteReport {
  const cases = modules.flatMap((module) =>
    [...module.children.allTests()].map((test) => ({ file: nameOf(module), name: test.fullName, test })),
  );
  const withState = (state: string) => cases.filter(({ test }) => test.result().state === state);
  return {
    passed: withState("passed").length,
    failed: withState("failed").length,
    skipped: withState("skipped")
      .filter(({ test }) => wanted === undefined || wanted.test(searchedName(test)))
      .map(({ file, name, test }) => {
        const result = test.result();
        return { file, name, note: (result.state === "skipped" && result.note) || "" };
      }),
    retried: cases.flatMap(({ file, name, test }) => {
      const tries = test.diagnostic()?.retryCount ?? 0;
      return tries === 0 ? [] : [{ file, name, tries, state: test.result().state }];
    }),
    files: modules.map((module) => {
      const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic();
      const spent = duration + collectDuration + setupDuration + prepareDuration;
      return {
        file: nameOf(module),
        tests: [...module.children.allTests()].length,
        seconds: Number((spent / 1000).toFixed(1)),
      };
    }),
  };
}

/** What `-t` looks at: a test that was not asked for counts as skipped, too. */
function searchedName(test: TestCase): string {
  const names = [test.name];
  for (let above = test.parent; above.type === "suite"; above = above.parent) names.unshift(above.name);
  return names.join(" ");
}

function nameOf(module: TestModule): string {
  return relative(process.cwd(), module.moduleId);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(0);
}
