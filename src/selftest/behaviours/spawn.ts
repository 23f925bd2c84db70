import { HubError } from "../../model/errors.js";
import { CellFailure } from "../cell.js";
import { type Stage, until } from "../stage.js";

/** The hub answers before that, whether the agent has started or not. */
const ANSWER_MS = 30_000;

/** Starts the agent and answers with its id. */
export async function spawn(stage: Stage): Promise<string> {
  const { hub, backend, runtime, project, agent, signal } = stage;
  const { id } = await hub
    .operator()
    .spawn({ backend, runtime, project, name: agent }, { timeoutMs: ANSWER_MS, signal })
    .catch((error: unknown) => {
      throw error instanceof HubError ? new CellFailure("fails", error.message) : error;
    });
  await until(stage, "it started", async () => {
    const { state } = await hub.operator().showAgent(agent);
    return state === "starting" || state === "waiting" ? undefined : state;
  });
  return id;
}
