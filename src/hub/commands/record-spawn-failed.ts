import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { HubDecider } from "../context.js";
import { leave } from "../rules/leave.js";
import { tellParent } from "../rules/tell-parent.js";

type RecordSpawnFailed = { agent: AgentId; code: string; error: string };

/** A new agent never came up: it goes as if it had not been. */
export const recordSpawnFailed: HubDecider<RecordSpawnFailed, void> = (input, context) => {
  const agent = context.views.roster.byId(input.agent);
  if (agent === undefined || agent.goneAt !== null) return decided([], undefined);
  return decided(
    [
      newEvent("SpawnFailed", agent.id, { ...input }),
      ...leave(context, agent, "failed", `${agent.name} did not start: ${input.error}`),
      ...(agent.parent === null ? [] : tellParent(context, agent, "has failed", input.error, "It is gone.")),
    ],
    undefined,
  );
};
