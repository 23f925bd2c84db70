import type { z } from "zod";
import type { backendRoutes } from "../contract/http/backends.js";
import type { doctorRoutes } from "../contract/http/doctor.js";
import type { folderRoutes } from "../contract/http/folders.js";
import type { hostingRoutes } from "../contract/http/hosting.js";
import type { health, hubRoutes } from "../contract/http/hub.js";
import type { Screen } from "../contract/http/turns.js";
import type { ExecuteCommand } from "../hub/deciders.js";
import type { InboxReader } from "../hub/inbox-port.js";
import type { MailPump } from "../hub/mail-port.js";
import type { Obligations } from "../hub/rules/obligations.js";
import type { Agent, AgentId } from "../model/agent.js";
import type { HubEvent } from "../model/events.js";
import type { FabricDesk } from "../model/fabric-desk.js";
import type { Feed } from "../model/feed.js";
import type { HookMail, HookMoment } from "../model/hook.js";
import type { TmuxPane } from "../model/hosting.js";
import type { LiveTurns } from "../model/live-turn.js";
import type { MessageId } from "../model/message.js";
import type { PeerDesk } from "../model/peer-desk.js";
import type { Spawned, SpawnRequest } from "../model/spawn-request.js";
import type { StopAgents } from "../model/stop-agents.js";
import type { WorktreeDesk } from "../model/worktree.js";
import type { ActiveConversation } from "../views/conversation-activity.js";
import type { MailPlace } from "../views/lazy/mail-of.js";
import type { Search } from "../views/lazy/search.js";
import type { TightViews } from "../views/tight.js";
import type { PairTraffic } from "../views/traffic.js";
import type { SeatLimits, Seats } from "./caller/seats.js";

export type SurfaceLimits = {
  bodyBytes: number;
  jsonDepth: number;
  jsonKeys: number;
  waitMaxMs: number;
  waits: SeatLimits;
  streams: SeatLimits;
  searches: SeatLimits;
  readerBufferBytes: number;
  readerStallMs: number;
  readerLingerMs: number;
  pingEveryMs: number;
  /** Most frames of one agent's socket that are being answered. */
  socketInFlight: number;
  ticketLifeMs: number;
  deskCodeLifeMs: number;
  deskTokenLifeMs: number;
  /** How long a request and a claim of work last, unless they say otherwise. */
  requestDefaultMs: number;
  workLeaseMs: number;
  /** After how long what was handed out and not proved is handed out again. */
  reofferAfterMs: number;
  /** How long the dead are shown, so that somebody notices. */
  showDeadMs: number;
  /** Who may broadcast. */
  broadcast: "anyone" | "orchestrator";
  /** What a message to one agent asks for, where neither it nor its sender says. */
  httpAttention: "queue" | "interrupt";
  /** Of the cooldown of a pair (9.6): after how long it is forgotten, and most messages in a minute; 0 for any number. */
  cooldown: { resetMs: number; cap: number };
  /** Most steps of one workflow. */
  workflowSteps: number;
  /** What agents may answer each other before the person is asked. */
  conversation: { hops: number; messages: number; unattended: number };
};

/** Who was seen when. Every call of an agent counts; an open connection counts for as long as it is open. */
type Presence = {
  touch(agent: Agent): void;
  enter(agent: Agent): () => void;
  lastSeen(agent: AgentId): number | undefined;
};

/** A session that is called as an agent's, with its active pane. `agent` is whose it is, `problem` why it can be nobody's. */
export type AgentPane = z.input<typeof hostingRoutes.panes.response>["panes"][number];

/** A backend, and how agents can be run on it here. */
export type SurveyedBackend = z.input<typeof backendRoutes.list.response>["backends"][number];

/** Agents that the hub runs itself. Each answers once it is in the journal, or refuses with a HubError. */
export type HostingPort = StopAgents & {
  /** The folder that is meant, if agents that the hub runs may work there. */
  checkProject(project: string): string;
  /** What an agent runs on when whoever asks for it does not say; undefined when nothing is known. */
  backendFor(by: AgentId): string | undefined;
  /** The backend of that name, if there is one; and the same, or a refusal that lists them. */
  knownBackend(name: string): string | undefined;
  checkBackend(name: string): string;
  /** The checks of the configuration, and what makes worktrees ready: a program and its arguments each. */
  checks: Readonly<Record<string, readonly string[]>>;
  /** What agents can run on here. */
  backends(): Promise<z.input<typeof backendRoutes.list.response>>;
  /** Of these, those that agents run on and that cannot be run here. */
  missingBackends(): { backend: string; agents: string[]; install: string | null }[];
  /** The folders in one in which agents may work; without a path, where to begin. */
  folders(path: string | undefined): Promise<z.input<typeof folderRoutes.list.response>>;
  /** Refuses what is no JSON Schema, and says where. */
  checkSchema(schema: Readonly<Record<string, unknown>>, by: AgentId): Promise<void>;
  spawn(request: SpawnRequest): Promise<Spawned>;
  /** Since when its process is there, in wall time. */
  startedAt(agent: AgentId): number | undefined;
  /** A session that this agent wanted was refused: at a limit, the person is told. */
  refusedSpawn(by: AgentId, error: unknown): void;
  /** Looks whether what an agent asks is still asked: the person may have answered on its screen a moment ago. */
  recheck(agent: AgentId): Promise<void>;
  /** What agents say and do in the turns that they are in. */
  live: LiveTurns;
  /** What stands in an agent's pane now; undefined when it has none open. */
  screenOf(agent: AgentId): Promise<Screen | undefined>;
  /** Where an agent's screen is now, if it has one open in tmux. */
  tmuxOf(agent: AgentId): TmuxPane | undefined;
  /** Takes a pane that the person started. `bridged`: it was an agent before, and stays the one that it is. */
  adopt(pane: {
    by: AgentId;
    target: string;
    socket?: string | undefined;
    name?: string | undefined;
    team?: string | undefined;
    instance?: string | undefined;
    backend?: string | undefined;
  }): Promise<Spawned & { pane: string; backend: string; bridged?: true }>;
  /** Whether agents on that backend get a git worktree when nobody says. */
  usesWorktree(backend: string): boolean;
  /** For the operator. */
  worktrees: WorktreeDesk;
  /** The `agent-*` sessions of a tmux server, by name. */
  panes(server: { socket?: string | undefined }): Promise<AgentPane[]>;
};

/** What hooks of an agent's program hand over. */
type HookPort = {
  hand(asked: {
    agent: AgentId;
    moment: HookMoment;
    /** Its turn was kept going before: only what it was never handed keeps it going again. */
    newOnly: boolean;
    /** Nothing is handed out: the text only says that mail waits. */
    pointer: boolean;
    /** Its session was taken up again, or its context was compacted: it is told what it owes. */
    after?: "resume" | "compact" | undefined;
    /** For `idle`. */
    waitMs: number;
    signal: AbortSignal;
  }): Promise<HookMail>;
  /** Since when, in wall time, the agent is in a turn, as its hooks tell. */
  turnSince(agent: AgentId): number | undefined;
};

/** Upkeep of the journal, for the operator. */
export type Maintenance = {
  backUp(file: string): Promise<{ file: string; bytes: number; events: number; seq: number }>;
  pruneBefore(
    wall: number,
  ): Promise<{ events: number; first: number; keptBy: "unfinished" | "newest" | null }>;
};

type Doctor = z.input<typeof doctorRoutes.show.response>;

/** What the surfaces need of the hub, wired in `daemon/`. */
export type HubPorts = {
  execute: ExecuteCommand;
  peers: PeerDesk;
  fabric: FabricDesk;
  views: TightViews;
  obligations: Obligations;
  inbox: InboxReader;
  mail: MailPump;
  feed: Feed;
  presence: Presence;
  hosting: HostingPort;
  hooks: HookPort;
  waits: Seats;
  searches: Seats;
  limits: SurfaceLimits;
  /** Hub time. */
  now(): number;
  lastSeq(): number;
  firstSeq(): number;
  seqBefore(wall: number): number;
  /** Wall time. */
  wall(): number;
  /** At most so many bytes of text, but always one. */
  pageAfter(seq: number, limit: number, bytes?: number): HubEvent[];
  search: Pick<Search, "find" | "findTurns" | "choose" | "caughtUp">;
  /** The newest messages of a thread, oldest first, once the view has caught up or after a moment. */
  threadOf(root: MessageId, limit: number): Promise<number[]>;
  /** Messages by the ends of their ids: those that may be an agent's, by seq, up to what the view has taken in. */
  idEnds: { find(agent: AgentId, digits: string): number[]; caughtUp(): Promise<void> };
  /** Messages that may be an agent's, by seq, from a place on, once the view has caught up or after a moment. */
  mailOf(agent: AgentId, place: MailPlace, limit: number): Promise<number[]>;
  /** Up to which event the views of history are; they are behind for a while after an update that reads the journal anew. */
  historyPlace(): number;
  traffic: {
    /** How many messages went each way between two in the last minutes. */
    read(): Promise<PairTraffic[]>;
    /** In which conversations something was written in the last hour, the newest first. */
    conversations(): Promise<ActiveConversation[]>;
  };
  maintenance: Maintenance;
  /** The newest message that an agent sent or got. */
  lastMessage(agent: AgentId): number | undefined;
  health(): z.output<typeof health>;
  healthDetails(): Promise<z.output<typeof hubRoutes.details.response>>;
  /** The checks of `huddle doctor`: what they found last, and another run, unless one is under way. */
  doctor: { read(): Doctor; start(): Doctor };
  logError(error: unknown, what: string): void;
  /** An error as the refusal that says what to do about it, if it is known; else as it is. */
  explain(error: unknown): unknown;
};
