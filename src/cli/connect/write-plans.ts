import { applyPlan } from "../../connect/apply-plan.js";
import {
  type ConnectionPlan,
  connectedServer,
  filesOf,
  type PlanOptions,
} from "../../connect/plan-connection.js";
import { isChange } from "../../connect/plan-file.js";
import { shakeHands } from "../../connect/shake-hands.js";
import { HubError } from "../../model/errors.js";
import type { Connection } from "../../runtime/vendors/connection.js";
import type { CliContext } from "../context.js";
import { ensureHub } from "../ensure-hub.js";
import type { Outcome } from "./outcome.js";

/** A CLI that is installed, and what connecting it takes, or why it cannot be connected. */
export type Planned = { connection: Connection; path: string; plan?: ConnectionPlan; error?: HubError };

/** A server answers in a tenth of a second; a machine may be busy. */
const SHAKE_MS = 30_000;

export async function writePlans(
  cli: CliContext,
  planned: readonly Planned[],
  { server, state }: Pick<PlanOptions, "server" | "state">,
): Promise<Outcome[]> {
  const { io } = cli;
  const written: Outcome[] = [];
  for (const { connection, path, plan, error } of planned) {
    if (plan === undefined) written.push({ connection, state: "failed", files: [], error });
    else
      written.push(
        await trying({ connection, files: filesOf(plan), state: "failed" }, async () => {
          await applyPlan(plan, { server, state, program: path, env: io.env, home: io.home, now: io.now() });
          return { state: filesOf(plan).some(isChange) ? "connected" : "unchanged" };
        }),
      );
  }
  const isThere = written.some(({ state }) => state === "connected" || state === "unchanged");
  const noHub = isThere ? await startHub(cli) : undefined;
  const outcomes: Outcome[] = [];
  for (const outcome of written) {
    if (outcome.state !== "connected" && outcome.state !== "unchanged") outcomes.push(outcome);
    else outcomes.push(await trying({ ...outcome, state: "silent" }, () => tryServer(cli, outcome, noHub)));
  }
  return outcomes;
}

/** Started from here: a hub that a CLI's server started would know less of the person's environment. */
async function startHub(cli: CliContext): Promise<HubError | undefined> {
  try {
    await ensureHub(cli, { set: [] });
    return undefined;
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
}

/** What stands in the file now is what is started, not what was meant to be written. */
async function tryServer(
  cli: CliContext,
  outcome: Outcome,
  noHub: HubError | undefined,
): Promise<Partial<Outcome>> {
  if (noHub !== undefined) throw noHub;
  const [{ file } = { file: "" }] = outcome.files;
  const server = connectedServer(outcome.connection, file);
  if (server === undefined) throw new HubError("INTERNAL", `${file} has no entry that starts it`);
  const { ms } = await shakeHands(server, { env: cli.io.env, withinMs: cli.timeoutMs(SHAKE_MS) });
  return { state: outcome.state, ms };
}

/** The outcome, as it is if the work fails, or with what came of the work. */
async function trying(failed: Outcome, work: () => Promise<Partial<Outcome>>): Promise<Outcome> {
  try {
    return { ...failed, ...(await work()) };
  } catch (error) {
    if (error instanceof HubError) return { ...failed, error };
    throw error;
  }
}
