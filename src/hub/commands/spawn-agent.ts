import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import type { AdoptedPane, PermissionPolicy, RuntimeKind } from "../../model/hosting.js";
import { checkAgentName, checkTeam, firstFreeName, toName } from "../../model/names.js";
import { paneTarget } from "../../model/pane-target.js";
import type { ToolsetName } from "../../model/toolset.js";
import type { HubDecider } from "../context.js";
import { teamOf } from "../rules/address-of.js";
import { checkChildren, checkHostedRoom } from "../rules/agent-shares.js";
import { depthBelow } from "../rules/depth-below.js";

type SpawnAgent = {
  /** Who asks: the person, or the agent that becomes its parent. */
  by: AgentId;
  /** Chosen by who asks, so that asking again makes no second agent. */
  id?: AgentId | undefined;
  name?: string | undefined;
  team?: string | undefined;
  /** Null for a pane that the person started: it is where it is. */
  project: string | null;
  model?: string | undefined;
  backend: string;
  runtime: RuntimeKind;
  /** Why that one; `chosen`: by the hub, which may choose another. */
  runtimeReason?: string | undefined;
  chosen?: true | undefined;
  instance?: string | undefined;
  permissions: PermissionPolicy;
  tools?: ToolsetName | undefined;
  adopted?: AdoptedPane | undefined;
};

type SpawnedAgent = { id: AgentId; name: string };

/** Registers an agent that the hub is to run. The supervisor sees the event, starts it and records what became of it. */
export const spawnAgent: HubDecider<SpawnAgent, SpawnedAgent> = (input, context) => {
  const { roster } = context.views;
  const earlier = input.id === undefined ? undefined : roster.byId(input.id);
  if (earlier !== undefined) {
    if (earlier.hub !== null) throw new HubError("ID_REUSED", `An agent has the id "${earlier.id}" already`);
    if (earlier.goneAt !== null) throw new HubError("AGENT_GONE", `Agent "${earlier.name}" has left`);
    return decided([], { id: earlier.id, name: earlier.name });
  }
  const { instance } = input;
  const base = input.name ?? toName(input.backend) ?? "agent";
  const wanted = paneTarget({ name: base, instance });
  checkAgentName(wanted);
  const team = input.team ?? teamOf(context.views, input.by);
  checkTeam(team);
  const parent = input.by === HUMAN_ID ? undefined : input.by;
  const depth = depthBelow(parent, context);
  checkHostedRoom(input.by, context);
  checkChildren(parent, context);
  const isTaken = (name: string) => roster.isTaken(name, team);
  // Where an instance was asked for, the plain name is somebody else's even while it is free.
  const name = isTaken(wanted) ? firstFreeName(base, (one) => one === base || isTaken(one)) : wanted;
  const id = input.id ?? context.newId();
  return {
    events: [
      newEvent("AgentRegistered", id, {
        agent: id,
        name,
        role: "agent",
        team,
        project: input.project,
        model: input.model ?? null,
        backend: input.backend,
        heartbeat: false,
        ...(parent === undefined ? {} : { parent }),
        depth,
        runtime: input.runtime,
        ...(instance === undefined || name !== wanted ? {} : { instance }),
        permissions: input.permissions,
        ...(input.tools === undefined ? {} : { tools: input.tools }),
        ...(input.adopted === undefined ? {} : { adopted: input.adopted }),
      }),
      newEvent("SpawnRequested", id, {
        agent: id,
        by: input.by,
        ...(input.runtimeReason === undefined ? {} : { runtimeReason: input.runtimeReason }),
        ...(input.chosen === undefined ? {} : { chosen: input.chosen }),
      }),
    ],
    answer: () => ({ id, name }),
  };
};
