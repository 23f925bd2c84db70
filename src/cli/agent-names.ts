import type { EventFrame } from "../client/event-stream.js";
import type { AgentList, HubClient } from "../client/hub-client.js";
import { readEvent, type ShownEvent } from "../contract/events/events.js";
import { fullAddress, nameIn } from "../model/address.js";
import { HUMAN_ID, HUMAN_NAME } from "../model/agent.js";

/** Who is behind an id, learned from the roster and from what goes by. */
export type AgentNames = {
  of(id: string): string;
  /** A name that somebody had then, with the team where that alone does not tell who it is. */
  named(id: string, name: string): string;
  /** Whether somebody has that name. */
  isHeld(name: string): boolean;
  learn(frame: EventFrame): void;
};

export function agentNames(known: Iterable<{ id: string; name: string; team: string }>): AgentNames {
  const names = new Map([[HUMAN_ID, HUMAN_NAME]]);
  const teams = new Map<string, string>();
  /** The ids of each name. */
  const holders = new Map<string, Set<string>>();

  function set(id: string, name: string) {
    holders.get(names.get(id) ?? "")?.delete(id);
    names.set(id, name);
    holders.set(name, (holders.get(name) ?? new Set()).add(id));
  }
  for (const { id, name, team } of known) {
    set(id, nameIn(name));
    teams.set(id, team);
  }

  function named(id: string, name: string): string {
    const team = teams.get(id);
    const isShared = [...(holders.get(name) ?? [])].some((other) => teams.get(other) !== team);
    return isShared && team !== undefined ? fullAddress({ team, name }) : name;
  }
  return {
    named,
    isHeld: (name) => (holders.get(name)?.size ?? 0) > 0,
    of(id) {
      const name = names.get(id);
      // Of somebody who left before we looked, the start of the id is all there is.
      return name === undefined ? id.slice(0, 8) : named(id, name);
    },
    learn(frame) {
      const event = readEvent(frame);
      switch (event?.type) {
        case "AgentRegistered":
          set(event.data.agent, event.data.name);
          teams.set(event.data.agent, event.data.team);
          break;
        case "AgentDeregistered":
          set(event.data.agent, event.data.name);
          holders.get(event.data.name)?.delete(event.data.agent);
          break;
        case "AgentRenamed":
          set(event.data.agent, event.data.to);
          if (event.data.toTeam !== undefined) teams.set(event.data.agent, event.data.toTeam);
          break;
        case "MessageAccepted": {
          const { message } = event.data;
          for (const { id, name } of [
            { id: message.from, name: message.fromName },
            ...message.to.map(({ agent, name }) => ({ id: agent, name })),
          ]) {
            if (!names.has(id)) set(id, name);
          }
          break;
        }
        default:
      }
    },
  };
}

/** Every agent that an event is about. */
export function agentsIn(frame: EventFrame): Set<string> {
  const event = readEvent(frame);
  const agents = new Set(frame.sessionId === null ? [] : [frame.sessionId]);
  if (event === undefined) return agents;
  if (event.type === "MessageAccepted") {
    agents.add(event.data.message.from);
    for (const to of event.data.message.to) agents.add(to.agent);
    return agents;
  }
  for (const agent of concerned(event)) agents.add(agent);
  if ("delivery" in event.data) agents.add(event.data.delivery.from);
  if ("deliveries" in event.data) for (const { from } of event.data.deliveries) agents.add(from);
  return agents;
}

/** Who did or suffered it, the one that the line is about first. */
export function concerned(event: Exclude<ShownEvent, { type: "MessageAccepted" }>): string[] {
  switch (event.type) {
    case "RequestClaimed":
    case "RequestAnswered":
      return [event.data.by, event.data.from];
    case "ConversationPaused":
    case "ConversationResumed":
    case "ConversationFrozen":
      return [];
    case "PairPaused":
    case "PairResumed":
    case "PairReset":
      return [event.data.from, event.data.to];
    case "CallbackDue":
    case "CallbackDone":
      return [event.data.agent, event.data.from];
    case "AllPaused":
    case "AllResumed":
      return [event.data.by];
    case "BudgetReached":
    case "BudgetDecided":
      return event.data.kind === "agent" ? [event.data.key] : [];
    case "RequestOpened":
      return [event.data.request.from];
    case "RequestNudged":
    case "RequestReopened":
    case "RequestExpired":
      return [event.data.from];
    case "MemoryShared":
      return [event.data.memory.by];
    case "WorkClaimed":
      return [event.data.claim.owner];
    case "WorkReleased":
      return [event.data.owner];
    case "TaskAssigned":
      return [event.data.task.agent, event.data.task.by];
    case "TaskStarted":
    case "TaskAnswered":
    case "TaskChecked":
    case "TaskReturned":
    case "TaskEnded":
      return [event.data.agent, event.data.by];
    case "WorktreePlanned":
      return [event.data.worktree.agent];
    case "WorkflowCreated":
      return [event.data.workflow.by];
    case "CheckForgotten":
    case "StepStarted":
    case "StepWaiting":
    case "StepDecided":
    case "StepEnded":
    case "StepsReset":
    case "WorkflowEnded":
      return [event.data.by];
    case "PermissionRequested":
      return [event.data.permission.agent];
    // The names of hubs are in the events themselves.
    case "PeerAdded":
    case "PeerChanged":
    case "PeerRemoved":
    case "PeerAgentMet":
    case "PeerAgentChanged":
    case "EpochBegun":
    case "LinkGap":
      return [];
    default:
      return [event.data.agent];
  }
}

const PAGE = 500;

type Roster = { agents: AgentList["agents"]; peers: NonNullable<AgentList["peers"]> };

/** Every page of the roster. */
export async function listAllAgents(client: HubClient, team?: string): Promise<AgentList["agents"]> {
  return (await listEverybody(client, team)).agents;
}

/** The same with those of other hubs. */
export async function listEverybody(client: HubClient, team?: string): Promise<Roster> {
  const { agents, peers }: Roster = { agents: [], peers: [] };
  let cursor: string | null = null;
  do {
    const page: AgentList = await client.listAgents({
      limit: PAGE,
      ...(team === undefined ? {} : { team }),
      ...(cursor === null ? {} : { cursor }),
    });
    agents.push(...page.agents);
    peers.push(...(page.peers ?? []));
    cursor = page.next;
  } while (cursor !== null);
  return { agents, peers };
}
