import { openConnectionsFile } from "../../connect/connections-file.js";
import { ownHooks, ownServer } from "../../connect/own-server.js";
import { filesOf, type PlanOptions, planConnection } from "../../connect/plan-connection.js";
import { isChange } from "../../connect/plan-file.js";
import { HubError } from "../../model/errors.js";
import type { Connection, Scope } from "../../runtime/vendors/connection.js";
import { openQuestions, type Questions } from "../ask-questions.js";
import { canAsk } from "../ask-yes.js";
import type { CliContext } from "../context.js";
import { usageError } from "../usage-error.js";
import { chooseClis } from "./choose-clis.js";
import { configWorld } from "./config-world.js";
import { type Outcome, reportOutcomes } from "./outcome.js";
import { showPlans } from "./show-plans.js";
import { type Planned, writePlans } from "./write-plans.js";

export type ConnectOptions = { dryRun: boolean; scope: Scope; hooks: boolean | undefined; yes: boolean };

/** Finds, plans, shows, asks, writes and tries. Answers with the exit code. */
export async function connectClis(
  cli: CliContext,
  names: readonly string[],
  options: ConnectOptions,
): Promise<number> {
  const { dryRun, yes, scope } = options;
  const questions = canAsk(cli) && !yes && !dryRun && !cli.output.json ? openQuestions(cli) : undefined;
  try {
    const own = { self: cli.io.self, env: cli.io.env, data: cli.paths.data };
    const planning: Omit<PlanOptions, "hooks"> = {
      scope,
      world: configWorld(cli),
      server: ownServer(own),
      state: openConnectionsFile(cli.paths.data),
    };
    warnOfCache(cli, planning.server);
    // Not all have files of a project's own; those that were named are told.
    const found = chooseClis(names, cli.io.env).filter(
      ({ connection }) => names.length > 0 || connection.files[scope] !== undefined,
    );
    const hookable = found.filter(
      ({ path, connection }) => path !== undefined && connection.hooksFile !== undefined,
    );
    const hooks = (await wantsHooks(hookable, planning, options.hooks, questions))
      ? await ownHooks(own)
      : undefined;

    const planned = found.flatMap(({ connection, path }): Planned[] =>
      path === undefined ? [] : [{ connection, path, ...tryToPlan(connection, { ...planning, hooks }) }],
    );
    const missing = found.flatMap(({ connection, path }): Outcome[] =>
      path === undefined
        ? [{ connection, state: names.length > 0 ? "missing" : "not installed", files: [] }]
        : [],
    );
    const changing = planned.flatMap(({ plan }) =>
      plan !== undefined && filesOf(plan).some(isChange) ? [plan] : [],
    );
    showPlans(cli, changing);
    const isWriting = !dryRun && (changing.length === 0 || yes || (await mayWrite(questions)));
    const outcomes = isWriting
      ? await writePlans(cli, planned, planning)
      : planned.map(({ connection, plan, error }): Outcome => {
          if (plan === undefined) return { connection, state: "failed", files: [], error };
          return {
            connection,
            state: filesOf(plan).some(isChange) ? "planned" : "unchanged",
            files: filesOf(plan),
          };
        });
    return reportOutcomes(cli, [...outcomes, ...missing]);
  } finally {
    await questions?.close();
  }
}

/** What npx fetched is gone when npm tidies up. */
export function warnOfCache({ output }: CliContext, { args }: { args: readonly string[] }): void {
  if (!args.some((path) => /[\\/]_npx[\\/]/.test(path))) return;
  output.note(
    "This Huddle lies in npx's cache, which npm may empty. Better install it first: npm install -g huddle",
  );
}

function tryToPlan(connection: Connection, options: PlanOptions): Pick<Planned, "plan" | "error"> {
  try {
    return { plan: planConnection(connection, options) };
  } catch (error) {
    if (error instanceof HubError) return { error };
    throw error;
  }
}

/** Those that were installed before are kept up to date unasked. */
async function wantsHooks(
  clis: readonly { connection: Connection }[],
  { state, world, scope }: Pick<PlanOptions, "state" | "world" | "scope">,
  asked: boolean | undefined,
  questions: Questions | undefined,
): Promise<boolean> {
  if (clis.length === 0 || asked !== undefined) return asked === true;
  if (clis.some(({ connection }) => state.find(connection.hooksFile?.(world, scope) ?? "") !== undefined))
    return true;
  return (
    (await questions?.ask(
      "Install hooks for Claude Code as well? They hand a session its mail without its asking, and may wake it.",
      "yes",
    )) === true
  );
}

function mayWrite(questions: Questions | undefined): Promise<boolean> {
  if (questions !== undefined) return questions.ask("Write this?", "yes");
  throw usageError(
    "Nobody can be asked here whether to write this",
    "Add --yes to write it, or --dry-run to only look at it.",
  );
}
