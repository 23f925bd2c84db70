import type { Decider } from "../model/decision.js";
import type { HubId } from "../model/link.js";
import type { Budget } from "../model/usage.js";
import type { TightViews } from "../views/tight.js";
import type { CooldownLimits } from "./rules/cooldown.js";

/** Caps and durations that deciders use, in milliseconds, from the configuration. */
export type HubLimits = {
  inboxCap: number;
  /** Messages of one sender that an inbox takes even when it is full. */
  inboxRoom: number;
  renameGraceMs: number;
  reofferAfterMs: number;
  readMessages: number;
  readBytes: number;
  requestDefaultMs: number;
  requestMaxMs: number;
  requestOpenCap: number;
  requestAgentCap: number;
  /** Most requests and nudges of one agent within a minute; 0 for any number. */
  requestPace: number;
  requestNudgeCap: number;
  workLeaseMs: number;
  workLeaseMaxMs: number;
  workCap: number;
  workAgentCap: number;
  /** Bytes of all memories that are kept, of one writer's, and how many versions of each. */
  memoryBytes: number;
  memoryAgentBytes: number;
  memoryVersions: number;
  /** How long a task may take, whatever becomes of it, and how many may be open. */
  taskMs: number;
  taskOpenCap: number;
  /** How many of them one agent may have assigned. */
  taskAgentCap: number;
  worktreeCap: number;
  /** The checks that the configuration has, by name. */
  checks: readonly string[];
  workflowOpenCap: number;
  workflowAgentCap: number;
  /** What an agent, and the steps of a workflow together, may use until the person is asked. */
  agentBudget: Budget;
  workflowBudget: Budget;
  cooldown: CooldownLimits;
  conversation: ConversationLimits;
  /** Who gets mail of another hub that names nobody, whether such mail may interrupt, and how much of it an inbox takes. */
  peerMail: PeerMailLimits;
  /** The id of this hub, once it has one: what other hubs claimed at the same moment is settled by it. */
  hubId?: () => HubId | undefined;
  /** Who may broadcast. */
  broadcast: "anyone" | "orchestrator";
  depth: number;
  /** Most agents at once that one agent and those below it may have started. */
  children: number;
  /** Most agents that the hub runs at once, and how many of them are kept for the person's own. */
  hosted: number;
  hostedReserve: number;
  permissionMs: number;
  /** An agent whose context is filled to this share is offered to hand its work over; 0: none is. */
  handoffAt: number;
  /** Of what is only `fyi`, how much a turn carries. */
  fyiMessages: number;
  fyiBytes: number;
};

/** Without `agent` it is for the only agent here, else for the person. */
type PeerMailLimits = {
  agent?: string | undefined;
  interrupt: boolean;
  /** Most undelivered messages of one peer in one inbox. */
  share: number;
};

type ConversationLimits = {
  hops: number;
  messages: number;
  /** How long what an agent was handed counts as the cause of what it sends. */
  causeMs: number;
  /** Most messages between agents in an hour without a person. */
  unattended: number;
};

export type HubContext = {
  views: TightViews;
  limits: HubLimits;
  /** Hub time. */
  now: number;
  /** Wall time. */
  at: number;
  newId: () => string;
};

export type HubDecider<Input, Answer> = Decider<HubContext, Input, Answer>;
