import type { AgentId, AgentRole, AgentStatus } from "./agent.js";
import type { AlarmKind } from "./alarm-kind.js";
import type { Attention } from "./attention.js";
import type { CallbackEvents } from "./callback-events.js";
import type {
  DeliveryRef,
  FailReason,
  OfferNote,
  PaneWait,
  Proof,
  ReturnReason,
  Route,
  TakenEvidence,
} from "./delivery.js";
import type { AdoptedPane, PaneState, PermissionPolicy, RuntimeKind } from "./hosting.js";
import { liftNotice } from "./lift-notice.js";
import type { MemoryEvents } from "./memory.js";
import type { ConversationId, Message, MessageId } from "./message.js";
import type { PairEvents } from "./pair-events.js";
import type { PeerName } from "./peer.js";
import type { PeerEvents } from "./peer-events.js";
import type { Permission, PermissionId, PermissionOutcome, PermissionReason } from "./permission.js";
import type { RequestEvents } from "./request-events.js";
import type { TaskId } from "./task.js";
import type { ToolsetName } from "./toolset.js";
import type { AgentExit, TurnId, TurnStop, TurnUsage, TurnWork } from "./turn.js";
import type { Budget, BudgetKind, Used } from "./usage.js";
import type { WorkClaim } from "./work.js";
import type { WorkEvents } from "./work-events.js";

/** Those that have files of their own. */
type MoreEvents = WorkEvents & RequestEvents & PairEvents & PeerEvents & CallbackEvents & MemoryEvents;

/** What happened, in the past tense. The journal stores these and nothing else; every view is a fold of them. */
export type EventData = MoreEvents & {
  AgentRegistered: {
    agent: AgentId;
    name: string;
    label?: string;
    role: AgentRole;
    team: string;
    project: string | null;
    model: string | null;
    backend: string | null;
    heartbeat: boolean;
    attention?: Attention;
    parent?: AgentId;
    depth?: number;
    runtime?: RuntimeKind;
    instance?: string;
    permissions?: PermissionPolicy;
    tools?: ToolsetName;
    adopted?: AdoptedPane;
  };
  /** Never leaves the hub: `visibility.ts` shows it to nobody. `replaces`: those that it had before are dead. */
  CredentialIssued: { agent: AgentId; hash: string; replaces?: true };
  /** It has another name, another team or both. Names were unique in the whole hub before the teams stood here. */
  AgentRenamed: {
    agent: AgentId;
    from: string;
    to: string;
    heldUntil: number;
    fromTeam?: string;
    /** Unless it is the same. */
    toTeam?: string;
  };
  AgentUpdated: {
    agent: AgentId;
    project?: string;
    team?: string;
    model?: string;
    attention?: Attention;
    /** Null: it has none any more. */
    label?: string | null;
  };
  AgentDeregistered: {
    agent: AgentId;
    name: string;
    reason: "left" | "removed" | "shutdown" | "killed" | "failed";
  };
  NameReleased: { name: string; team?: string; agent: AgentId };
  /** Hub bookkeeping, shown to nobody: the alarm rang and what it meant was decided. */
  AlarmFired: { due: number; kind: AlarmKind; ref: string };
  /**
   * `lastSeen`: of one that fell silent, the wall time of its last sign of life, which is kept in memory until then. `until`: of
   * one that is `limited`, the wall time when its vendor's limit ends, where that is known.
   */
  PresenceChanged: {
    agent: AgentId;
    status: AgentStatus;
    evidence: string;
    lastSeen?: number;
    until?: number;
  };
  MessageAccepted: { message: Message; expiresAt?: number };
  MessagesOffered: {
    agent: AgentId;
    route: Route;
    /** The turn that carries them, when the runtime puts them in. */
    turn?: TurnId;
    /** The turn before was cut, and what it was about is named in this one. */
    continues?: true;
    deliveries: readonly (DeliveryRef & { attempt: number; note?: OfferNote })[];
  };
  /**
   * The runtime took them, or the hub where the agent lives: without `turn`. `pointer`: only that they are there was put in, and the
   * agent reads them itself.
   */
  MessagesInjected: {
    agent: AgentId;
    turn?: TurnId;
    evidence: TakenEvidence;
    pointer?: true;
    deliveries: readonly DeliveryRef[];
  };
  MessagesSeen: { agent: AgentId; evidence: Proof; turn?: TurnId; deliveries: readonly DeliveryRef[] };
  /** The turn that carried them ended, with how many others in it; on another hub: without `turn`. */
  MessagesFinished: {
    agent: AgentId;
    turn?: TurnId;
    stop: TurnStop;
    /** What the agent said had gone wrong, when it stopped by an error. */
    error?: string;
    with: number;
    deliveries: readonly DeliveryRef[];
  };
  /** Handed out without result: they wait again. */
  MessagesReturned: {
    agent: AgentId;
    turn: TurnId;
    reason: ReturnReason;
    deliveries: readonly DeliveryRef[];
  };
  /** A pane did not take them in time: their senders are told, and they wait. Once for each delivery. */
  MessagesKeptWaiting: {
    agent: AgentId;
    reason: PaneWait;
    screen?: PaneState;
    deliveries: readonly (DeliveryRef & { waitedMs: number })[];
  };
  /** What somebody typed in the pane at the same moment was sent together with them. What, is for the person alone. */
  MessagesMixed: { agent: AgentId; turn: TurnId; deliveries: readonly DeliveryRef[] };
  /** The one event that the journal gets of what an agent said and did in a turn, at most 256 KB of it. */
  TurnEnded: {
    agent: AgentId;
    turn: TurnId;
    stop: TurnStop;
    error?: string;
    text: string;
    usage?: TurnUsage;
    /** What the vendor told of the whole session; `usage` has what of it came in this turn. */
    sessionUsage?: TurnUsage;
    messages: number;
    /** The ids of what it was told, and how long it took. Turns from before these were kept lack both. */
    mail?: readonly MessageId[];
    ms?: number;
    /** What it was at, and the conversation that its newest message is in. */
    task?: TaskId;
    /** Of which that task is a step. */
    workflow?: string;
    conversation?: ConversationId;
  } & TurnWork;
  MessageAnswered: { agent: AgentId; delivery: DeliveryRef; by: MessageId };
  /** A hold ended: the message may be read now. */
  MessageReleased: { agent: AgentId; delivery: DeliveryRef };
  MessageExpired: { agent: AgentId; delivery: DeliveryRef };
  DeliveriesFailed: { agent: AgentId; reason: FailReason; deliveries: readonly DeliveryRef[] };
  /** Agents kept answering each other past the budget: further mail waits for the person. */
  ConversationPaused: {
    conversation: ConversationId;
    reason: "budget" | "backstop";
    hop: number;
    messages: number;
  };
  /** The person let it go on, with a new budget from `hop` on. */
  ConversationResumed: { conversation: ConversationId; hop: number };
  /** The person ended it: nothing more is accepted in it. */
  ConversationFrozen: { conversation: ConversationId };
  /** Its mail goes to another agent from now on; `to: null`: to itself again. */
  MailForwarded: { agent: AgentId; to: AgentId | null; toName: string };
  /** `told`: the agent of another hub that hears of it. */
  WorkClaimed: { claim: WorkClaim; told?: AgentId };
  WorkReleased: {
    task: string;
    owner: AgentId;
    /** The owner's name at that time. */
    ownerName?: string;
    reason: "released" | "expired" | "owner_gone";
    /** Who released it, when that was not its owner. */
    byName?: string;
    /** It was a claim of an agent of that hub. */
    hub?: PeerName;
  };
  /**
   * It is registered; the supervisor starts it. `runtimeReason`: why it is run this way; `chosen`: by the hub, which may choose
   * another. `runtime`: that other one, because it did not start in the first.
   */
  SpawnRequested: {
    agent: AgentId;
    by: AgentId;
    runtimeReason?: string;
    chosen?: true;
    runtime?: RuntimeKind;
  };
  AgentStarted: { agent: AgentId; session?: string; resumed: boolean };
  SpawnFailed: { agent: AgentId; code: string; error: string };
  /** An agent that a person started, with a bridge of its own, is typed to in its pane from now on. */
  PaneAdopted: { agent: AgentId; adopted: AdoptedPane; backend: string; permissions: PermissionPolicy };
  /** It pulls its mail again. `closed`: its pane, or the CLI in it, is not there any more. */
  PaneLetGo: { agent: AgentId; reason: "closed" | "killed"; why: string };
  SessionChanged: { agent: AgentId; session: string };
  /** `retryInMs` is null when it is given up: it is tried again with the next message. */
  AgentCrashed: { agent: AgentId; why: string; exit?: AgentExit; failures: number; retryInMs: number | null };
  AgentStopped: { agent: AgentId; reason: "idle" | "hub_stop" };
  /** `hosted`: the hub ends it, if need be at its next start; any other ends itself. */
  ShutdownRequested: { agent: AgentId; by: AgentId; reason?: string; hosted?: true };
  KillRequested: { agent: AgentId; by: AgentId; hosted?: true };
  /**
   * It begins no turn and gets no mail until it is resumed. `now`: the turn that it is in is cut. `clocks`: what is left of the
   * times that its tasks have; those stand still.
   */
  AgentPaused: {
    agent: AgentId;
    by: AgentId;
    now?: true;
    clocks?: readonly { task: TaskId; leftMs: number }[];
  };
  /** `clocks`: until when, in hub time, its tasks have time now. */
  AgentResumed: {
    agent: AgentId;
    by: AgentId;
    clocks?: readonly { task: TaskId; expiresAt: number }[];
  };
  /** Whoever comes later is paused, too; `spares`: but for orchestrators. */
  AllPaused: { by: AgentId; spares?: "orchestrators" };
  AllResumed: { by: AgentId };
  /** It used what it may: no further turn of this agent, or step of this workflow, begins until the person has decided. */
  BudgetReached: { kind: BudgetKind; key: string; budget: Budget; used: Used };
  /**
   * The person let it go on, with as much again from what it has used now (`used`), or ended it. `lifted`: by the
   * configuration, it is not at its budget any more.
   */
  BudgetDecided: {
    kind: BudgetKind;
    key: string;
    decision: "continue" | "stop" | "lifted";
    by: AgentId;
    used: Used;
  };
  /** `expiresAt` is hub time; absent when the policy answered, and for a dialog that waits in a pane. */
  PermissionRequested: { permission: Permission; expiresAt?: number };
  PermissionAnswered: {
    agent: AgentId;
    permission: PermissionId;
    outcome: PermissionOutcome;
    /** The one of its options that carries it out. */
    option?: string;
    by: AgentId;
    /** The desk in the browser, by its token. */
    via?: "desk";
    reason?: PermissionReason;
  };
};

export type EventType = keyof EventData;

/** A type that is missing here does not compile. */
const everyEventType: Record<EventType, true> = {
  AgentRegistered: true,
  CredentialIssued: true,
  AgentRenamed: true,
  AgentUpdated: true,
  AgentDeregistered: true,
  NameReleased: true,
  AlarmFired: true,
  PresenceChanged: true,
  MessageAccepted: true,
  MessagesOffered: true,
  MessagesInjected: true,
  MessagesSeen: true,
  MessagesFinished: true,
  MessagesReturned: true,
  TurnEnded: true,
  MessageAnswered: true,
  MessageReleased: true,
  MessageExpired: true,
  MessagesKeptWaiting: true,
  MessagesMixed: true,
  DeliveriesFailed: true,
  ConversationPaused: true,
  ConversationResumed: true,
  ConversationFrozen: true,
  PairPaused: true,
  PairResumed: true,
  PairReset: true,
  PeerAdded: true,
  PeerChanged: true,
  PeerRemoved: true,
  PeerAgentMet: true,
  PeerAgentChanged: true,
  EpochBegun: true,
  FramesNumbered: true,
  FramesAcknowledged: true,
  FramesReceived: true,
  LinkGap: true,
  CallbackDue: true,
  CallbackDone: true,
  RequestOpened: true,
  RequestClaimed: true,
  RequestReopened: true,
  RequestAnswered: true,
  RequestNudged: true,
  RequestExpired: true,
  MailForwarded: true,
  WorkClaimed: true,
  WorkReleased: true,
  TaskAssigned: true,
  TaskStarted: true,
  TaskAnswered: true,
  TaskChecked: true,
  TaskReturned: true,
  TaskEnded: true,
  WorktreePlanned: true,
  WorktreeMade: true,
  WorktreeKept: true,
  WorktreeRemoved: true,
  MemoryShared: true,
  CheckAllowed: true,
  CheckForgotten: true,
  WorkflowCreated: true,
  StepStarted: true,
  StepWaiting: true,
  StepDecided: true,
  StepEnded: true,
  StepsReset: true,
  WorkflowEnded: true,
  SpawnRequested: true,
  AgentStarted: true,
  SpawnFailed: true,
  PaneAdopted: true,
  PaneLetGo: true,
  SessionChanged: true,
  AgentCrashed: true,
  AgentStopped: true,
  ShutdownRequested: true,
  KillRequested: true,
  AgentPaused: true,
  AgentResumed: true,
  AllPaused: true,
  AllResumed: true,
  BudgetReached: true,
  BudgetDecided: true,
  PermissionRequested: true,
  PermissionAnswered: true,
};

// oxlint-disable-next-line typescript/consistent-type-assertions -- the keys of the record above
export const eventTypes = Object.keys(everyEventType) as readonly EventType[];

/** What a decider returns: an event that has not happened until the journal commits it. */
export type NewEvent = {
  [T in EventType]: { type: T; subject: AgentId | null; data: EventData[T] };
}[EventType];

/** An event as the journal keeps it: `at` is wall time for people, `hubTime` is what deadlines are built on. */
export type HubEvent = NewEvent & { seq: number; at: number; hubTime: number };

export type EventOf<T extends EventType> = Extract<HubEvent, { type: T }>;

/** The version that this program writes, per event type; unnamed types are at 1. */
const versions: Partial<Record<EventType, number>> = { MessageAccepted: 2 };

export function eventVersion(type: EventType): number {
  return versions[type] ?? 1;
}

/** Lifts stored data of an older version to the present shape, one version at a time. */
type Upcaster = (data: unknown) => unknown;
type Upcasters = Readonly<Record<string, readonly Upcaster[]>>;

/** `upcasters[type][n - 1]` lifts version n to n + 1. Append only: old journals must stay readable. */
export const upcasters: Upcasters = { MessageAccepted: [liftNotice] };

export function upcast(type: string, version: number, data: unknown, from: Upcasters = upcasters): unknown {
  let lifted = data;
  for (const lift of (from[type] ?? []).slice(version - 1)) lifted = lift(lifted);
  return lifted;
}

export function newEvent<T extends EventType>(
  type: T,
  subject: AgentId | null,
  data: EventData[T],
): NewEvent {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a union cannot be rebuilt from a generic tag
  return { type, subject, data } as NewEvent;
}
