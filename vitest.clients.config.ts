import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { createGridReporter } from "./test/clients/grid-reporter.js";
import { createRetryReporter } from "./test/clients/retry-reporter.js";
import { SlowestFirst, slowestFirst } from "./test/clients/slowest-first.js";
import { SuiteReporter } from "./test/report/suite-reporter.js";

/*
 * Tests with the vendors' own CLIs, on a scripted model: `npm run test:clients`, and with `--mode all`
 * `npm run test:clients:all` (test/clients/sets.ts says which tests belong to which). Not part of `npm test`.
 */

const folder = "test/clients";
const filesOf = (names: readonly string[]) => names.map((name) => `${folder}/${name}.test.ts`);
/** Run once for each vendor: they take theirs from the project that they run in. */
const perVendor = filesOf(["bridge", "hosted", "runtimes", "pane", "dialogs", "races", "mixed", "mail-file"]);
/** Of vendors whose CLIs do the rest as another's does, in the smaller set: through the hub, by the bridge, on the screen. */
const alike: ReadonlySet<string> = new Set(["opencode", "copilot"]);
const ofAlike = filesOf(["bridge", "hosted", "pane"]);
/** What `npm test` proves with scripted agents, tried with the real ones: in the smaller set of these vendors only. */
const wholeOnly = ["mixed", "races", "mail-file", "house"];
const few: Readonly<Record<string, readonly string[]>> = { claude: ["races"], codex: ["races", "mail-file"] };
/** In the whole matrix it looks at a screen many times a second: alone on the machine. */
const filming = [`${folder}/pane-delivery.test.ts`];

export default defineConfig(({ mode }) => {
  const provide = { wholeMatrix: mode === "all" };
  const leftBy = (vendor?: string) =>
    mode === "all" ? [] : filesOf(wholeOnly.filter((name) => few[vendor ?? ""]?.includes(name) !== true));
  const alone = mode === "all" ? filming : [];
  const project = (name: string, rest: object) => ({
    extends: true as const,
    test: { name, provide, ...rest },
  });
  return {
    test: {
      pool: "forks",
      // Each has a CLI, which takes a core while it starts and up to a few hundred megabytes, and then waits often.
      maxWorkers: 2 * availableParallelism(),
      // Files of a project share a process, and the modules in it.
      isolate: false,
      sequence: { sequencer: SlowestFirst },
      setupFiles: [`${folder}/own-folder.ts`],
      testTimeout: 600_000,
      hookTimeout: 180_000,
      // The CLIs are other people's programs: what fails is tried again, and the run ends with a list of those.
      retry: 2,
      reporters: ["verbose", createRetryReporter(), createGridReporter(), new SuiteReporter()],
      projects: [
        ...slowestFirst.map((vendor) => {
          const include = mode !== "all" && alike.has(vendor) ? ofAlike : perVendor;
          return project(vendor, {
            include,
            exclude: leftBy(vendor),
            provide: { ...provide, vendor },
          });
        }),
        project("several", {
          include: [`${folder}/*.test.ts`],
          exclude: [...perVendor, ...alone, ...leftBy()],
        }),
        ...(alone.length === 0
          ? []
          : [project("alone", { include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } })]),
      ],
    },
  };
});
