import { agentRoutes } from "../../../contract/http/agents.js";
import { hashToken, newToken } from "../../../hub/rules/credentials.js";
import { findAgent } from "../../../hub/rules/find-agent.js";
import type { Agent } from "../../../model/agent.js";
import { HubError } from "../../../model/errors.js";
import { shownEvidence } from "../../../model/shown-evidence.js";
import { type Caller, viewerOf } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { isLimited, lastActive, shownStatus } from "../../shown/shown-status.js";
import { viewTmux } from "../../shown/tmux-view.js";
import type { BindRoute } from "../bind-route.js";

export function bindAgentRoutes(bind: BindRoute, ports: HubPorts): void {
  const { execute, views, presence } = ports;

  bind(agentRoutes.register, async ({ caller, body }) => {
    if (body.role === "orchestrator" && caller.kind !== "operator") {
      throw new HubError("FORBIDDEN", "Only the operator makes orchestrators; use the operator's token");
    }
    const token = newToken("agent");
    const { id, name } = await execute("registerAgent", { ...body, credential: hashToken(token) });
    const agent = views.roster.byId(id);
    if (agent !== undefined) presence.touch(agent);
    return { id, name, token };
  });

  bind(agentRoutes.list, ({ caller, query }) => {
    const { limit } = query;
    const found = views.roster.list({ team: query.team, after: query.cursor ?? "", limit: limit + 1 });
    const agents = found.slice(0, limit).map((agent) => row(agent, caller, ports));
    return {
      agents,
      self: caller.kind === "agent" ? caller.agent.name : null,
      next: found.length > limit ? (agents.at(-1)?.name ?? null) : null,
    };
  });

  bind(agentRoutes.show, ({ caller, param }) => {
    const agent = findAgent(views, param("name"));
    const why = { agent: agent.id, status: agent.status, evidence: agent.statusEvidence };
    return {
      ...row(agent, caller, ports),
      role: agent.role,
      runtime: agent.runtime,
      permissions: agent.permissions,
      parent: agent.parent === null ? null : (views.roster.byId(agent.parent)?.name ?? agent.parent),
      statusSince: iso(agent.statusSince),
      statusEvidence: isLimited(agent, ports)
        ? "mail that it sent is held by a cooldown"
        : shownEvidence(why, viewerOf(caller)),
    };
  });

  bind(agentRoutes.update, async ({ caller, param, body }) => {
    const agent = ownAgent(caller, findAgent(views, param("name")));
    if (Object.values(body).every((value) => value === undefined)) {
      throw new HubError("INVALID_INPUT", "Nothing to change: give name, project, team, model or attention");
    }
    const project = body.project === undefined ? undefined : projectOf(agent, body.project);
    const { previousName, newName } = await execute("updateAgent", { agent: agent.id, ...body, project });
    return { success: true as const, previous_name: previousName, new_name: newName };
  });

  /** Of one that the hub runs it is where its next process starts; of others it is what they say of themselves. */
  function projectOf({ runtime }: Agent, project: string): string {
    return runtime === null ? project : ports.hosting.checkProject(project);
  }

  bind(agentRoutes.deregister, async ({ caller, param }) => {
    const agent = ownAgent(caller, findAgent(views, param("name")));
    await execute("deregisterAgent", {
      agent: agent.id,
      by: caller.kind === "agent" ? "itself" : "operator",
    });
    return undefined;
  });

  bind(agentRoutes.heartbeat, ({ caller, param }) => {
    presence.touch(ownAgent(caller, findAgent(views, param("name"))));
    return undefined;
  });
}

/** An agent may change only itself; the operator anyone, but not the person. */
function ownAgent(caller: Caller, agent: Agent): Agent {
  if (agent.role === "human")
    throw new HubError("FORBIDDEN", "The person is not an agent and cannot be changed");
  if (caller.kind === "agent" && caller.agent.id !== agent.id) {
    throw new HubError("FORBIDDEN", `You are "${caller.agent.name}" and may change only yourself`);
  }
  return agent;
}

function row(agent: Agent, caller: Caller, ports: HubPorts) {
  return {
    id: agent.id,
    name: agent.name,
    status: shownStatus(agent, ports),
    project: agent.project,
    team: agent.team,
    model: agent.model,
    backend: agent.backend,
    lastActive: iso(lastActive(agent, ports)),
    ...viewTmux(agent.id, caller, ports),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
