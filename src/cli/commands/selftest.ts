import { InvalidArgumentError, Option } from "commander";
import { type RuntimeKind, runtimeKinds } from "../../model/hosting.js";
import { type Behaviour, behaviourNames, behaviours } from "../../selftest/cell.js";
import type { CliContext, DefineCommand } from "../context.js";
import { EXIT_INTERRUPTED, EXIT_OK, EXIT_PROBLEMS } from "../exit-codes.js";
import { collect } from "../globals.js";
import { takeSignals } from "../take-signals.js";
import { usageError } from "../usage-error.js";

type SelftestOptions = { runtime: readonly string[]; behaviour: readonly string[]; verbose?: true };
type Wanted = {
  names: readonly string[];
  runtimes: readonly RuntimeKind[];
  behaviours: ReadonlySet<Behaviour>;
  /** What was named is missed when it is not here. */
  asked: { backends: boolean; runtimes: boolean };
  verbose: boolean;
};

/** For one behaviour. */
const BUDGET_MS = 60_000;

const ABOUT = `
It runs each CLI on a scripted model, with a hub and a home of its own: no account, no network, and your hub,
settings and credentials are not touched. --timeout is the time for one behaviour; default: 60s. Your hub
remembers the result, and prefers a way that works. Exit code 8: something fails, or could not be tried.

Behaviours, each under each runtime. The agent …
${behaviourNames.map((name) => `  ${name.padEnd(12)}${behaviours[name]}`).join("\n")}`;

export const define: DefineCommand = (command, act) => {
  command
    .argument("[backend...]", "which CLIs; default: all that are installed here")
    .addOption(
      choice(
        "--runtime <kind>",
        "only this way to run them: acp, headless or tmux; may be repeated",
        runtimeKinds,
      ),
    )
    .addOption(choice("--behaviour <name>", "only this, after its start; may be repeated", behaviourNames))
    .option("--verbose", "keep logs, and say where they are")
    .addHelpText("after", ABOUT)
    .action((names: string[], { runtime, behaviour, verbose }: SelftestOptions) =>
      act((cli) =>
        selftest(cli, {
          names,
          runtimes: among(runtimeKinds, runtime),
          behaviours: new Set(among(behaviourNames, behaviour)),
          asked: { backends: names.length > 0, runtimes: runtime.length > 0 },
          verbose: verbose === true,
        }),
      ),
    );
};

/** May be given several times. */
function choice(flags: string, text: string, choices: readonly string[]): Option {
  const option = new Option(flags, text).choices([...choices]).default([]);
  return option.argParser((value: string, earlier: readonly string[]) => {
    if (choices.includes(value)) return collect(value, earlier);
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
  });
}

function among<T extends string>(all: readonly T[], named: readonly string[]): readonly T[] {
  return named.length === 0 ? all : all.filter((one) => named.includes(one));
}

async function selftest(cli: CliContext, wanted: Wanted): Promise<number> {
  if ((cli.io.env["HUDDLE_HOSTED"] ?? "") !== "") {
    throw usageError(
      "The self-test does not run inside an agent that a hub runs",
      "Run it in a terminal of your own",
    );
  }
  const [{ performSelftest }, { chooseCandidates }] = await Promise.all([
    import("../selftest/perform-selftest.js"),
    import("../../selftest/survey.js"),
  ]);
  const candidates = chooseCandidates((await cli.io.loadDaemon()).backends(), wanted.names);
  const { signal, release } = takeSignals(cli.io);
  try {
    const ok = await performSelftest(cli, {
      ...wanted,
      candidates,
      budgetMs: cli.timeoutMs(BUDGET_MS),
      signal,
    });
    return ok ? EXIT_OK : EXIT_PROBLEMS;
  } catch (error) {
    if (signal.aborted) return EXIT_INTERRUPTED;
    throw error;
  } finally {
    release();
  }
}
