import { type Agent, type AgentId, HUMAN_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import type { HubContext, HubDecider } from "../context.js";
import { pause, resume } from "../rules/pause.js";
import { stoppable } from "../rules/stoppable.js";

type PauseAgents = {
  by: AgentId;
  /** All of them, and whoever comes later, if nobody is named. */
  agent?: AgentId | undefined;
  /** The turns that they are in are cut. */
  now?: boolean | undefined;
};

/** How many it changed something for. */
type Changed = { agents: number };

/** From now on they begin no turn and get no mail. Pausing one that is paused changes nothing. */
export const pauseAgents: HubDecider<PauseAgents, Changed> = ({ by, agent, now = false }, context) => {
  const { meant, spares } = meantBy(context, by, agent);
  const events = meant.flatMap((one) => pause(context, one, { by, now }));
  const all = agent === undefined ? [newEvent("AllPaused", null, { by, ...spares })] : [];
  return decided([...events, ...all], { agents: events.length });
};

/** What waited comes now, in its order. Whoever was paused alone is resumed with all others, too. */
export const resumeAgents: HubDecider<Omit<PauseAgents, "now">, Changed> = ({ by, agent }, context) => {
  const { meant } = meantBy(context, by, agent);
  const events = meant.flatMap((one) => resume(context, one, by));
  const isAll = agent === undefined && context.views.roster.allPaused() !== undefined;
  return decided([...events, ...(isAll ? [newEvent("AllResumed", null, { by })] : [])], {
    agents: events.length,
  });
};

/** The person's word is for everybody, an orchestrator's for all but orchestrators. */
function meantBy(
  context: HubContext,
  by: AgentId,
  agent: AgentId | undefined,
): { meant: Agent[]; spares: { spares?: "orchestrators" } } {
  const { roster } = context.views;
  const isPerson = by === HUMAN_ID;
  const isOrchestrator = roster.byId(by)?.role === "orchestrator";
  if (!isPerson && !isOrchestrator)
    throw new HubError("FORBIDDEN", "Agents are paused and resumed by the operator and by orchestrators");
  if (agent !== undefined) return { meant: [stoppable(context, { agent, by })], spares: {} };
  if (isPerson) return { meant: roster.present(), spares: {} };
  return {
    meant: roster.present().filter(({ role }) => role !== "orchestrator"),
    spares: { spares: "orchestrators" },
  };
}
