import type { Agent, AgentId } from "../../model/agent.js";
import type { Attention } from "../../model/attention.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import { checkLabel } from "../../model/label.js";
import { checkAgentName, checkTeam, firstFreeName } from "../../model/names.js";
import { fitsPane, paneNameHint, panePatterns, paneTarget } from "../../model/pane-target.js";
import { isOnScreen } from "../../model/runtime-traits.js";
import type { HubContext, HubDecider } from "../context.js";
import { presentAgent } from "../rules/present-agent.js";

type UpdateAgent = {
  agent: AgentId;
  name?: string | undefined;
  /** Null takes it away. */
  label?: string | null | undefined;
  project?: string | undefined;
  team?: string | undefined;
  model?: string | undefined;
  attention?: Attention | undefined;
  /** Its mail is its own again. */
  forward?: false | undefined;
};

/** Renames an agent and changes what is known of it. A name that is taken in its team gets a number, as at registration. */
export const updateAgent: HubDecider<UpdateAgent, { previousName: string; newName: string }> = (
  input,
  context,
) => {
  const agent = presentAgent(context.views, input.agent);
  if (input.team !== undefined) checkTeam(input.team);
  const team = input.team ?? agent.team;
  const newName = freeName(agent, input.name ?? agent.name, team, context);
  const { project, model, attention, label } = input;
  if (typeof label === "string") checkLabel(label);
  const events: NewEvent[] = [];
  if (newName !== agent.name || team !== agent.team) {
    events.push(
      newEvent("AgentRenamed", agent.id, {
        agent: agent.id,
        from: agent.name,
        to: newName,
        heldUntil: context.now + context.limits.renameGraceMs,
        fromTeam: agent.team,
        ...(team === agent.team ? {} : { toTeam: team }),
      }),
    );
  }
  if ([project, input.team, model, attention, label].some((value) => value !== undefined)) {
    events.push(
      newEvent("AgentUpdated", agent.id, {
        agent: agent.id,
        ...(project === undefined ? {} : { project }),
        ...(input.team === undefined ? {} : { team }),
        ...(model === undefined ? {} : { model }),
        ...(attention === undefined ? {} : { attention }),
        ...(label === undefined ? {} : { label }),
      }),
    );
  }
  if (input.forward === false && context.views.forwards.get(agent.id) !== undefined)
    events.push(newEvent("MailForwarded", agent.id, { agent: agent.id, to: null, toName: agent.name }));
  return decided(events, { previousName: agent.name, newName });
};

/** Its own names are free for it: the one that it has, and those that it gave up. */
function freeName(agent: Agent, wanted: string, team: string, { views: { roster } }: HubContext): string {
  if (wanted === agent.name && team === agent.team) return wanted;
  if (wanted !== agent.name) checkAgentName(wanted);
  const name = firstFreeName(wanted, (one) => {
    if (one === agent.name && team === agent.team) return false;
    return roster.heldName(one, team)?.agent !== agent.id && roster.isTaken(one, team);
  });
  checkPaneName(agent, name);
  return name;
}

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
