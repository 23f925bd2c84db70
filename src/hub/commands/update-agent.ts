import type { Agent, AgentId } from "../../model/agent.js";
import type { Attention } from "../../model/attention.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import { checkAgentName, checkTeam, firstFreeName } from "../../model/names.js";
import { fitsPane, paneNameHint, panePatterns, paneTarget } from "../../model/pane-target.js";
import { isOnScreen } from "../../model/runtime-traits.js";
import type { HubDecider } from "../context.js";
import { presentAgent } from "../rules/present-agent.js";

type UpdateAgent = {
  agent: AgentId;
  name?: string | undefined;
  project?: string | undefined;
  team?: string | undefined;
  model?: string | undefined;
  attention?: Attention | undefined;
};

/** Renames an agent and changes what is known of it. A taken name gets a number, as at registration. */
export const updateAgent: HubDecider<UpdateAgent, { previousName: string; newName: string }> = (
  input,
  context,
) => {
  const { roster } = context.views;
  const agent = presentAgent(context.views, input.agent);
  const events: NewEvent[] = [];
  let newName = agent.name;
  if (input.name !== undefined && input.name !== agent.name) {
    checkAgentName(input.name);
    newName = firstFreeName(input.name, (name) => {
      if (name === agent.name || roster.heldName(name)?.agent === agent.id) return false;
      return roster.isTaken(name);
    });
    checkPaneName(agent, newName);
  }
  if (newName !== agent.name) {
    const heldUntil = context.now + context.limits.renameGraceMs;
    events.push(
      newEvent("AgentRenamed", agent.id, { agent: agent.id, from: agent.name, to: newName, heldUntil }),
    );
  }
  if (input.team !== undefined) checkTeam(input.team);
  const { project, team, model, attention } = input;
  if ([project, team, model, attention].some((value) => value !== undefined)) {
    events.push(
      newEvent("AgentUpdated", agent.id, {
        agent: agent.id,
        ...(project === undefined ? {} : { project }),
        ...(team === undefined ? {} : { team }),
        ...(model === undefined ? {} : { model }),
        ...(attention === undefined ? {} : { attention }),
      }),
    );
  }
  return decided(events, { previousName: agent.name, newName });
};

/** A pane of the hub's own is called after its agent, and has to be found by that when it is opened again. */
function checkPaneName({ runtime, adopted, instance }: Agent, name: string): void {
  if (!isOnScreen({ runtime }) || adopted !== null) return;
  const target = paneTarget({ name, instance: instance ?? undefined });
  if (fitsPane(target)) return;
  throw new HubError("TARGET_INVALID", `"${target}" cannot name an agent in a tmux pane: ${paneNameHint}`, {
    target,
    patterns: panePatterns,
  });
}
