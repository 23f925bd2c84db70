import type { Attention } from "./attention.js";
import type { AdoptedPane, PermissionPolicy, RuntimeKind } from "./hosting.js";
import type { ToolsetName } from "./toolset.js";

export type AgentId = string;

export type AgentRole = "agent" | "orchestrator" | "human";

/** The one vocabulary inside; `status-words.ts` has what each document calls them. */
export const agentStatuses = [
  "starting",
  "idle",
  "busy",
  "waiting",
  "listening",
  "rate_limited",
  "limited",
  "stalled",
  "error",
  "dormant",
  "offline",
  "dead",
] as const;
export type AgentStatus = (typeof agentStatuses)[number];

/** Nothing is heard of it. */
export function isAway(status: AgentStatus): boolean {
  return status === "offline" || status === "dead";
}

export type Agent = {
  id: AgentId;
  /** Unique in its team. Of one on another hub: the address by which it is written to from here. */
  name: string;
  /** The peer where it lives; null for this hub. One of another hub is written to, and nothing else. */
  hub: string | null;
  /** What people read instead of the name. */
  label: string | null;
  role: AgentRole;
  team: string;
  project: string | null;
  model: string | null;
  backend: string | null;
  /** Registered with a promise to send heartbeats: silence then means dead, not merely offline. */
  heartbeat: boolean;
  /** What its messages ask for when they do not say. */
  attention: Attention | null;
  /** How the hub drives it; null for one that a person started and that pulls its mail. */
  runtime: RuntimeKind | null;
  /** Why that way; null for one that nobody spawned, or whose hub did not keep it. */
  runtimeReason: string | null;
  /** Which of several of one name it is: the end of the name; of older agents it stands beside the name. */
  instance: string | null;
  /** The vendor's session, by which it is taken up again. */
  session: string | null;
  permissions: PermissionPolicy | null;
  /** The tools that the hub gives it; null for one that a person started, and wired itself. */
  tools: ToolsetName | null;
  adopted: AdoptedPane | null;
  parent: AgentId | null;
  /** How many spawns lie between the person and it. */
  depth: number;
  status: AgentStatus;
  statusSince: number;
  statusEvidence: string;
  /** While it is `limited`: until when, in wall time, if its vendor said so. */
  limitedUntil: number | null;
  /** Of one that the hub runs: it was told to end, and is not gone yet. */
  ending: "shutdown" | "killed" | null;
  /** Since when, in hub time, it is paused; null when it is not. */
  pausedSince: number | null;
  registeredAt: number;
  lastActive: number;
  /** Set once deregistered; the row stays so that its mail and name can be explained. */
  goneAt: number | null;
};

/** Enough of an agent to send it something. */
export type Recipient = Pick<Agent, "id" | "name" | "team">;

/** The person at the desk: always there, reached as `user`, never listed among the agents. */
export const HUMAN_ID: AgentId = "human";
export const HUMAN_NAME = "user";

/** The hub itself, as the sender of bounces and notices. */
export const HUB_ID: AgentId = "hub";
export const HUB_NAME = "hub";
