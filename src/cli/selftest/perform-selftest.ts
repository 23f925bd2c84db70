import type { RuntimeKind } from "../../model/hosting.js";
import type { Behaviour } from "../../selftest/cell.js";
import { type ClosedDoor, startClosedDoor } from "../../selftest/closed-door.js";
import { describeResults, type RunFacts } from "../../selftest/document.js";
import { openPlace, type Place } from "../../selftest/place.js";
import { type BackendResult, runSelftest } from "../../selftest/run-selftest.js";
import { type ScriptedModel, startScriptedModel } from "../../selftest/scripted-model/scripted-model.js";
import type { Candidate } from "../../selftest/survey.js";
import { isWell, remember } from "../../selftest/verdict.js";
import type { CliContext } from "../context.js";
import { openLogs, type SelftestLogs } from "./logs.js";
import { createOwnHub } from "./own-hub.js";
import { renderResult } from "./render-result.js";
import { createView } from "./view.js";

type Performed = {
  candidates: readonly Candidate[];
  runtimes: readonly RuntimeKind[];
  behaviours: ReadonlySet<Behaviour>;
  asked: { backends: boolean; runtimes: boolean };
  budgetMs: number;
  verbose: boolean;
  signal: AbortSignal;
};

/** Makes the place, runs the self-test there, tells the result, and leaves nothing. Answers whether all is well. */
export async function performSelftest(cli: CliContext, wanted: Performed): Promise<boolean> {
  const [door, model] = await Promise.all([startClosedDoor(), startScriptedModel()]);
  try {
    const place = openPlace(cli.io.env, cli.io.home, door.url);
    // Whatever else ends the program, such as a pipe that nobody reads any more.
    process.once("exit", place.clear);
    // What waits for a hub or a CLI sees that it has ended.
    wanted.signal.addEventListener("abort", place.end, { once: true });
    try {
      return await perform(cli, wanted, { place, model, door });
    } finally {
      wanted.signal.removeEventListener("abort", place.end);
      place.clear();
      process.off("exit", place.clear);
    }
  } finally {
    await Promise.all([door.close(), model.close()]);
  }
}

type Ground = { place: Place; model: ScriptedModel; door: ClosedDoor };

async function perform(cli: CliContext, wanted: Performed, ground: Ground): Promise<boolean> {
  const begun = performance.now();
  const now = () => new Date(cli.io.now());
  const logs = wanted.verbose ? openLogs(cli.paths.logs, now()) : undefined;
  try {
    cli.output.note(
      "Trying the agent CLIs that are here, on a scripted model. Ctrl-C ends it and removes everything.",
    );
    const results = await run(cli, wanted, ground, logs);
    const facts: RunFacts = {
      ok: isWell(results, wanted.asked),
      seconds: Math.round((performance.now() - begun) / 1000),
      budgetSeconds: Math.round(wanted.budgetMs / 1000),
      refused: ground.door.refused(),
      remembered: keep(cli, results, now().toISOString()),
      logs: logs?.folder,
    };
    cli.output.result(describeResults(results, facts), () => renderResult(cli, results, facts, wanted));
    return facts.ok;
  } catch (error) {
    if (logs !== undefined) cli.output.note(`Logs: ${logs.folder}`);
    throw error;
  } finally {
    logs?.end(ground.place, ground.model);
  }
}

function run(
  cli: CliContext,
  wanted: Performed,
  { place, model }: Ground,
  logs: SelftestLogs | undefined,
): Promise<BackendResult[]> {
  const view = createView(cli, wanted);
  return runSelftest({
    ...wanted,
    place,
    model,
    hub: createOwnHub(cli, place, wanted.signal),
    onBackend: view.backend,
    onCell: view.cell,
    onFailure: async (row, behaviour, hub, agent) => logs?.failure(row, behaviour, hub, agent, model),
  });
}

/** A result that cannot be stored is a result all the same. */
function keep(cli: CliContext, results: readonly BackendResult[], at: string): number {
  try {
    return remember(results, cli.paths.runtimes, at);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    cli.output.note(`Your hub does not learn of this: ${cli.paths.runtimes} cannot be written (${why})`);
    return 0;
  }
}
