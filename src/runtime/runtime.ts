import type { AgentId } from "../model/agent.js";
import type { TakenEvidence } from "../model/delivery.js";
import type { AdoptedPane, TmuxPane } from "../model/hosting.js";
import type { ContextUse } from "../model/turn.js";
import type { Backend, RuntimeKind } from "./backend.js";

/*
 * The port through which the hub drives an agent that it started. One adapter per way in: `acp` (a subprocess that
 * speaks the Agent Client Protocol), `headless` (a process of the CLI per turn), `tmux` (the CLI's own screen in a pane).
 * Adapters know processes and protocols; they know nothing of mail, receipts or the journal. The driver serialises:
 * at most one `prompt` is open per agent at a time.
 */

export type Runtime = {
  readonly kind: RuntimeKind;
  /**
   * Resolves when the agent can take a prompt. Rejects with a `RuntimeError`; nothing is left running then. When the
   * signal aborts, it gives up soon and rejects.
   */
  start(launch: Launch, host: AgentHost, signal?: AbortSignal): Promise<HostedAgent>;
};

/** All that is needed to run one agent. Secrets are in the identity file only, never in `env` or argv. */
export type Launch = {
  agent: { id: AgentId; name: string; team: string; instance?: string };
  backend: Backend;
  cwd: string;
  model?: string;
  /** How the CLI reaches Huddle's tools: argv of the stdio bridge, `--identity FILE` included. */
  bridge: readonly string[];
  /** Who it is and how it answers, for a CLI that drops what Huddle's tools say of that. */
  instructions?: string;
  /** The whole environment of the process: allow-listed, with the marker `HUDDLE_HOSTED`. */
  env: Readonly<Record<string, string>>;
  /** A private folder (0700) of this agent for generated configuration; removed with the agent. */
  folder: string;
  /** The vendor's session to take up again; without it a new one is begun. */
  resume?: string;
  /** A pane that the person started: it is driven as it is, and `stop` leaves it. */
  adopt?: AdoptedPane;
};

/** What the adapter tells, and asks, while the agent runs. */
export type AgentHost = {
  /** The vendor's session id became known or changed: it is what a later `resume` takes. */
  session(id: string): void;
  /** Where its screen is, as soon as it has one: while it starts it may ask the person something there. */
  screen?(pane: TmuxPane): void;
  /** Streamed by the agent, in a turn or between turns. */
  output(part: OutputPart): void;
  /** Waits for an answer; the signal aborts when the turn is cancelled, and then the answer is `cancelled`. */
  permission(request: PermissionRequest): Promise<PermissionAnswer>;
  /**
   * The agent's own screen needs the person, who has a draft in its input box or a dialog to answer; `undefined` when
   * that is over. Only panes have a screen.
   */
  waiting?(on: ScreenWait | undefined): void;
  /** The process, or the pane, ended without `stop`. Called once; an open prompt rejects as well. */
  exited(how: ExitReport): void;
};

export type ScreenWait = { on: "draft" | "dialog"; words: string };

export type HostedAgent = {
  /** False when `resume` was asked for and the vendor could not: the agent starts without its history. */
  readonly resumed: boolean;
  readonly pid: number | undefined;
  /** What the vendor replayed when it resumed, the end of it: there the driver finds what it was at when the hub ended. */
  readonly replayed?: string;
  /** Once it answers, its session has the prompt, however the turn ends. */
  readonly keepsPrompts?: boolean;
  /** Its pane as it was last seen, while it is open. Only panes have one. */
  tmux?(): TmuxPane | undefined;
  /** Looks whether what it asked is still asked: the person may have answered on its screen a moment ago. */
  recheck?(): Promise<void>;
  prompt(prompt: Prompt, listener: TurnListener): Promise<TurnEnd>;
  /**
   * Whether the turn whose line began with this tag can be seen to its end on the agent's own screen, where it went on or
   * came to its end while nobody looked. Then what is returned follows it to there. Only panes outlive the hub. One of these
   * `lines` that still stands in its box is known as ours from then on: it is not a draft of the person.
   */
  regain?(tag: string, lines?: readonly string[]): Promise<FollowedTurn | undefined>;
  /** A line from before the hub ended that stands in its box and was never sent. */
  unsent?(): string | undefined;
  /** Cancels the open turn, if there is one. Resolves once the cancel was sent; the open `prompt` then ends by itself. */
  interrupt(): Promise<void>;
  /**
   * Ends the agent and every process that it began: asked first, with `graceMs` to end by itself; then SIGTERM, and
   * 5 s later SIGKILL, to the group. Resolves when nothing is left; `exited` is not called, an open prompt rejects.
   */
  stop(options: { graceMs: number }): Promise<void>;
};

export type FollowedTurn = (listener: TurnListener) => Promise<TurnEnd>;

/** One turn's input. `line` is what a pane gets: one tagged line, under 150 characters. */
export type Prompt = {
  turn: string;
  text: string;
  line: string;
  /** Instead of `text`, when the session that was to be resumed turns out to be lost. */
  anew?: string;
  /** The tag that `line` begins with (`MSG_X_ab12cd34`), by which the pane confirms it. */
  tag: string;
  /** The agent has read by itself all that `line` tells of: a pane that was not typed into yet needs it no more. */
  isRead?: () => boolean;
  /** The name of the file that `line` sends the agent to, where it has no tool to fetch `text`: it is there while the turn is open. */
  file?: string;
};

export type TurnListener = {
  /** The agent took the prompt: written to it whole, or gone from its input box. */
  taken(evidence: TakenEvidence): void;
  /** The agent's own output for this turn began. */
  responding(): void;
  /** What somebody typed on its screen at the same moment was sent with the prompt: these words. Only panes have a screen. */
  mixed?(words: string): void;
};

/** `error` is the agent's own sentence when it stopped by one. */
export type TurnEnd = {
  stop: TurnStop;
  text: string;
  usage?: Usage;
  /** What the whole session has used by now, of that which the vendor tells only so: the hub finds out what the turn used. */
  sessionUsage?: Usage;
  /** How full its context is, where the vendor tells. */
  context?: ContextUse;
  error?: string;
  /** What the agent was not let do without anybody being asked: commands as it gave them. */
  refused?: readonly string[];
  /** When that was its vendor's usage limit. */
  limit?: UsageLimit;
  /** Of a cancelled turn: whether its prompt is in the session's history. Absent where nobody can tell. */
  kept?: boolean;
};

/** The vendor lets the person's account do no more for now. In the CLI's own words; `until` is wall time, if it says when. */
export type UsageLimit = { words: string; until?: number };

export type TurnStop = "end_turn" | "cancelled" | "max_tokens" | "max_turns" | "refusal" | "error";

export type Usage = { inputTokens?: number; outputTokens?: number; costUsd?: number };

export type OutputPart =
  | { kind: "text"; text: string }
  | { kind: "thought"; text: string }
  /** `act` in ACP's words, as for a permission. */
  | {
      kind: "tool";
      id: string;
      title: string;
      act?: string;
      status: "pending" | "running" | "done" | "failed";
    }
  | { kind: "plan"; entries: readonly { text: string; status: string }[] }
  | { kind: "usage"; usage: Usage };

export type PermissionRequest = {
  /** Exact words and values, as the agent gave them. */
  tool: string;
  title: string;
  /**
   * What kind of act it is, in ACP's words: read, edit, delete, move, search, execute, think, fetch, other. Or `dialog`: on
   * its screen something is asked that only the person can answer there; it has no options.
   */
  act: string;
  details: unknown;
  options: readonly PermissionOption[];
  /** On its screen it stands on although its turn was told to stop: only the person can end it. */
  stands?: true;
  signal: AbortSignal;
};

export type PermissionOption = {
  id: string;
  label: string;
  grants: "once" | "session" | "always" | "deny" | "deny_always";
};

/** The reason with which a request's signal aborts when the person answered where it was asked. */
export const answeredOnScreen = "answered_in_pane";

/** `option` is one of the request's. */
export type PermissionAnswer = { option: string } | "cancelled";

export type ExitReport = { code: number | null; signal: string | null; stderr: string };

const runtimeErrorCodes = [
  "BACKEND_MISSING",
  "BACKEND_FAILED",
  "START_TIMEOUT",
  "SESSION_NOT_FOUND",
  "NOT_TAKEN",
  // The screen did not take the prompt, which waits; the agent lives on. `details.state` is what the screen was in, and
  // `details.inVain` says that it was put in and nothing came of it.
  "HELD",
  "AGENT_EXITED",
  "TARGET_INVALID",
] as const;
type RuntimeErrorCode = (typeof runtimeErrorCodes)[number];

export class RuntimeError extends Error {
  override readonly name = "RuntimeError";
  constructor(
    readonly code: RuntimeErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
