import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { RuntimeKind } from "../../model/hosting.js";
import type { HubDecider } from "../context.js";

type RunOtherwise = { agent: AgentId; runtime: RuntimeKind; reason: string };

/** A new agent did not start the way that was chosen for it: it is started in another. False if nobody wants it any more. */
export const runOtherwise: HubDecider<RunOtherwise, boolean> = (input, context) => {
  const agent = context.views.roster.byId(input.agent);
  if (agent === undefined || agent.goneAt !== null || agent.ending !== null) return decided([], false);
  const { runtime, reason } = input;
  const by = agent.parent ?? HUMAN_ID;
  return decided(
    [newEvent("SpawnRequested", agent.id, { agent: agent.id, by, runtime, runtimeReason: reason })],
    true,
  );
};
