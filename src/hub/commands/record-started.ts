import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { HubDecider } from "../context.js";
import { isPresent } from "../rules/present-agent.js";

type RecordStarted = { agent: AgentId; session?: string | undefined; resumed: boolean };

/** A hosted agent can take prompts. */
export const recordStarted: HubDecider<RecordStarted, void> = (input, context) => {
  const { agent, session, resumed } = input;
  if (!isPresent(context.views, agent)) return decided([], undefined);
  const started = { agent, ...(session === undefined ? {} : { session }), resumed };
  return decided([newEvent("AgentStarted", agent, started)], undefined);
};
