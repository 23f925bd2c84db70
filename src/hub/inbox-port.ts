import type { AgentId } from "../model/agent.js";
import type { Route } from "../model/delivery.js";
import type { RequestId } from "../model/request.js";
import type { Again, Offered } from "./commands/offer-messages.js";
import type { WorthTurn } from "./rules/unread-by.js";

/** Reading an inbox, at once or by waiting. */
export type ReadInbox = {
  agent: AgentId;
  from?: AgentId | undefined;
  /** Only what answers this request. */
  requestId?: RequestId | undefined;
  /** Only what has a higher number. */
  after?: number | undefined;
  /** 0 answers at once. */
  waitMs: number;
  /** Most messages to hand out. */
  limit?: number | undefined;
  /** Most bytes of text. */
  bytes?: number | undefined;
  /** What is larger by itself is left, and `more` says so. */
  strictly?: boolean | undefined;
  /** Waits for, and answers with nothing but for, something that is worth a turn. */
  worthTurn?: WorthTurn | undefined;
  /** As which route it counts; default: `inbox` for what is there, `wait` for what is waited for. */
  route?: Route | undefined;
  /** Whether what was handed out a moment ago comes again (the default), or only once it is due. */
  again?: Again | undefined;
  /** Its caller goes on waiting when the hub is back: it is not told that the hub stops. */
  overRestarts?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

export type InboxReader = {
  read(options: ReadInbox): Promise<Offered>;
  /** How many waits are open. */
  waiting(): number;
  /** Since when, in wall time, the agent is inside a wait for any mail; not one of its hooks, which wait while it rests. */
  waitingSince(agent: AgentId): number | undefined;
  /** Answers a wait for something worth a turn with all that is unread. Says whether there was one. */
  rouse(agent: AgentId): boolean;
  /** Answers the open waits of an agent that left with nothing. */
  end(agent: AgentId): void;
  /** Answers every open wait with nothing: the hub stops. */
  close(): void;
  isClosed(): boolean;
};
