import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { HubDecider } from "../context.js";
import { isPresent } from "../rules/present-agent.js";
import { statusChange } from "../rules/status-change.js";

/** Its process ended on purpose and it can be taken up again: it was idle for long, or the hub stops. */
export const recordStopped: HubDecider<{ agent: AgentId; reason: "idle" | "hub_stop" }, void> = (
  { agent, reason },
  context,
) => {
  if (!isPresent(context.views, agent)) return decided([], undefined);
  // Its vendor's limit outlasts its process.
  const isLimited = context.views.roster.byId(agent)?.status === "limited";
  const evidence = reason === "idle" ? "unloaded after being idle" : "the hub stopped";
  return decided(
    [
      newEvent("AgentStopped", agent, { agent, reason }),
      ...(isLimited ? [] : statusChange(context, { agent, status: "dormant", evidence })),
    ],
    undefined,
  );
};
