import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import { type AgentExit, keepEnd, type TurnId } from "../../model/turn.js";
import type { HubDecider } from "../context.js";
import { endTurn, type Said } from "../rules/end-turn.js";
import { failWaiting } from "../rules/fail-waiting.js";
import { isPresent } from "../rules/present-agent.js";
import { statusChange } from "../rules/status-change.js";
import { tellParent } from "../rules/tell-parent.js";

const STDERR_MOST = 2000;
const AGAIN = "It is tried again when somebody writes to it.";

type RecordCrash = {
  agent: AgentId;
  /** The turn that it was in. */
  turn?: TurnId | undefined;
  /** Whether the runtime ever took that turn's prompt. */
  taken: boolean;
  /** What it had said and done in it. */
  said?: Said | undefined;
  why: string;
  exit?: AgentExit | undefined;
  failures: number;
  /** Null: it is given up until somebody writes to it again. */
  retryInMs: number | null;
};

/**
 * An agent's process ended by itself, would not start, or had to be ended. What it had not seen waits; what it was at
 * has failed. When it is given up, what waits fails as well, and whoever spawned it is told.
 */
export const recordCrash: HubDecider<RecordCrash, void> = (input, context) => {
  const { agent, turn, why, exit, failures, retryInMs } = input;
  const known = context.views.roster.byId(agent);
  if (known === undefined || !isPresent(context.views, agent)) return decided([], undefined);
  const lost =
    turn === undefined
      ? []
      : endTurn(context, { agent, turn, stop: input.taken ? "died" : "not_taken", text: "", ...input.said });
  const given = lost.flatMap((event) => (event.type === "MessagesReturned" ? event.data.deliveries : []));
  const givenUp = retryInMs === null;
  const failed = givenUp ? failWaiting(context, agent, { reason: "not_started", why, returned: given }) : [];
  // One that was started for the task that fails by this ends with it, and is tried no more.
  const ends = [...lost, ...failed].some(
    (event) => event.type === "KillRequested" && event.data.agent === agent,
  );
  return decided(
    [
      newEvent("AgentCrashed", agent, {
        agent,
        why,
        ...(exit === undefined ? {} : { exit: { ...exit, stderr: keepEnd(exit.stderr, STDERR_MOST) } }),
        failures,
        retryInMs,
      }),
      ...lost,
      ...failed,
      ...statusChange(context, { agent, status: givenUp ? "dormant" : "error", evidence: why }),
      ...(givenUp && !ends ? tellParent(context, known, "has failed", why, AGAIN) : []),
    ],
    undefined,
  );
};
