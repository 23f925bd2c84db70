import { type Agent, type AgentId, type AgentRole, HUMAN_ID } from "../../model/agent.js";
import type { Attention } from "../../model/attention.js";
import { type Decision, decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import { checkLabel } from "../../model/label.js";
import { checkAgentName, checkTeam, firstFreeName, toName } from "../../model/names.js";
import type { HubDecider } from "../context.js";
import { teamOf } from "../rules/address-of.js";
import { checkChildren } from "../rules/agent-shares.js";
import { depthBelow } from "../rules/depth-below.js";

export type RegisterAgent = {
  name?: string | undefined;
  label?: string | undefined;
  role?: AgentRole | undefined;
  team?: string | undefined;
  project?: string | undefined;
  model?: string | undefined;
  backend?: string | undefined;
  heartbeat?: boolean | undefined;
  attention?: Attention | undefined;
  /** Who spawned it: an agent's children are one deeper than itself. */
  parent?: AgentId | undefined;
  /** Chosen by who asks, so that asking again makes no second agent; it then gets another token. */
  id?: AgentId | undefined;
  /** Hash of the token that the new agent will hold. */
  credential: string;
};

export const registerAgent: HubDecider<RegisterAgent, { id: string; name: string }> = (input, context) => {
  const { roster } = context.views;
  if (input.role === "human") {
    throw new HubError(
      "INVALID_INPUT",
      'role "human" is the person at the desk; register "agent" or "orchestrator"',
    );
  }
  const earlier = input.id === undefined ? undefined : roster.byId(input.id);
  if (earlier !== undefined) return repeat(earlier, input);
  const wanted = input.name ?? toName(input.backend ?? "") ?? "agent";
  checkAgentName(wanted);
  const team = input.team ?? teamOf(context.views, input.parent ?? HUMAN_ID);
  checkTeam(team);
  if (input.label !== undefined) checkLabel(input.label);
  const name = firstFreeName(wanted, (one) => roster.isTaken(one, team));
  const depth = depthBelow(input.parent, context);
  checkChildren(input.parent, context);
  const id = input.id ?? context.newId();
  return {
    events: [
      newEvent("AgentRegistered", id, {
        agent: id,
        name,
        ...(input.label === undefined ? {} : { label: input.label }),
        role: input.role ?? "agent",
        team,
        project: input.project ?? null,
        model: input.model ?? null,
        backend: input.backend ?? null,
        heartbeat: input.heartbeat ?? false,
        ...(input.attention === undefined ? {} : { attention: input.attention }),
        ...(input.parent === undefined ? {} : { parent: input.parent }),
        depth,
      }),
      newEvent("CredentialIssued", id, { agent: id, hash: input.credential }),
    ],
    answer: () => ({ id, name }),
  };
};

/** The answer with the first token was lost. */
function repeat(agent: Agent, { parent, credential }: RegisterAgent): Decision<{ id: string; name: string }> {
  const { id, name } = agent;
  if (agent.goneAt !== null || agent.hub !== null || agent.parent !== (parent ?? null)) {
    throw new HubError("ID_REUSED", `An agent had the id "${id}" before`);
  }
  return decided([newEvent("CredentialIssued", id, { agent: id, hash: credential })], { id, name });
}
