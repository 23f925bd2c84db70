import { agentRoutes } from "../../../contract/http/agents.js";
import { addressNow, addressOf, teamOf } from "../../../hub/rules/address-of.js";
import { hashToken, newToken } from "../../../hub/rules/credentials.js";
import { findAgent } from "../../../hub/rules/find-agent.js";
import type { Agent, AgentStatus } from "../../../model/agent.js";
import { HubError } from "../../../model/errors.js";
import type { KnownElsewhere } from "../../../model/peer-desk.js";
import { shownEvidence } from "../../../model/shown-evidence.js";
import { statusWord } from "../../../model/status-words.js";
import { type Caller, memberId, viewerOf } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { agentPage } from "../../shown/agent-page.js";
import { lastActive, shownStatus } from "../../shown/shown-status.js";
import { viewTmux } from "../../shown/tmux-view.js";
import { viewWork } from "../../shown/work-view.js";
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
    const { page, elsewhere, next } = agentPage(ports, query);
    return {
      agents: page.map((agent) => row(agent, caller, ports)),
      ...(elsewhere.length === 0 ? {} : { peers: elsewhere.map(elsewhereRow) }),
      self: caller.kind === "agent" ? caller.agent.name : null,
      next,
    };
  });

  bind(agentRoutes.show, ({ caller, param }) => {
    const me = memberId(caller);
    const agent = findAgent(views, param("name"), me);
    return {
      ...row(agent, caller, ports),
      role: agent.role,
      runtime: agent.runtime,
      permissions: agent.permissions,
      tools: agent.tools,
      parent: agent.parent === null ? null : addressNow(views, agent.parent, agent.parent, me),
    };
  });

  bind(agentRoutes.update, async ({ caller, param, body }) => {
    const agent = ownAgent(caller, findAgent(views, param("name"), memberId(caller)));
    if (Object.values(body).every((value) => value === undefined)) {
      throw new HubError(
        "INVALID_INPUT",
        "Nothing to change: give name, label, project, team, model, attention or forward",
      );
    }
    const project = body.project === undefined ? undefined : projectOf(agent, body.project);
    const { previousName, newName } = await execute("updateAgent", { agent: agent.id, ...body, project });
    const shown = addressNow(views, agent.id, newName, memberId(caller));
    return { success: true as const, previous_name: previousName, new_name: shown };
  });

  /** Of one that the hub runs it is where its next process starts; of others it is what they say of themselves. */
  function projectOf({ runtime }: Agent, project: string): string {
    return runtime === null ? project : ports.hosting.checkProject(project);
  }

  bind(agentRoutes.deregister, async ({ caller, param }) => {
    const agent = ownAgent(caller, findAgent(views, param("name"), memberId(caller)));
    await execute("deregisterAgent", {
      agent: agent.id,
      by: caller.kind === "agent" ? "itself" : "operator",
    });
    return undefined;
  });

  bind(agentRoutes.heartbeat, ({ caller, param }) => {
    presence.touch(ownAgent(caller, findAgent(views, param("name"), memberId(caller))));
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
  const { views } = ports;
  const { status: state, since, evidence } = shownStatus(agent, ports);
  return {
    id: agent.id,
    name: addressOf(views, agent, teamOf(views, memberId(caller))),
    label: agent.label,
    status: statusWord("tabs", state),
    state,
    since: iso(since),
    evidence: paused(agent, shownEvidence({ agent: agent.id, status: state, evidence }, viewerOf(caller))),
    ...(agent.pausedSince === null ? {} : { paused: true as const }),
    ...until(agent, state, ports),
    project: agent.project,
    team: agent.team,
    model: agent.model,
    backend: agent.backend,
    lastActive: iso(lastActive(agent, ports)),
    ...(agent.runtime === null ? {} : { runtime: agent.runtime }),
    ...(agent.runtimeReason === null ? {} : { runtimeReason: agent.runtimeReason }),
    ...(agent.parent === null
      ? {}
      : { parent: addressNow(views, agent.parent, agent.parent, memberId(caller)) }),
    ...(caller.kind === "operator" ? viewWork(agent, ports) : {}),
    ...viewTmux(agent.id, caller, ports),
    ...viewForward(agent, caller, ports),
  };
}

/** Of one at its vendor's limit, and of one whose mail is held by a cooldown. */
function until(
  { id, limitedUntil }: Agent,
  state: AgentStatus,
  { views, now, wall }: HubPorts,
): { until?: string } {
  if (limitedUntil !== null) return { until: iso(limitedUntil) };
  const due = state === "rate_limited" ? views.pairs.holdsUntil(id, now()) : undefined;
  return due === undefined ? {} : { until: iso(wall() + due - now()) };
}

function viewForward({ id }: Agent, caller: Caller, { views }: HubPorts) {
  const target = views.forwards.get(id);
  return target === undefined ? {} : { forwards_to: addressNow(views, target, target, memberId(caller)) };
}

function elsewhereRow({ isPerson, ...row }: KnownElsewhere) {
  return { ...row, ...(isPerson === true ? { person: true as const } : {}) };
}

function paused({ pausedSince }: Agent, evidence: string): string {
  return pausedSince === null ? evidence : `paused; ${evidence}`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
