import type { AgentId } from "./agent.js";
import type { MessageId } from "./message.js";
import type { TurnId, TurnPlan, TurnStop, TurnTool, TurnUsage } from "./turn.js";

/** How far a reader has come in a turn: characters of its texts, and the number of the last change of another kind. */
export type LivePlace = { text: number; thought: number; change: number };

export const liveStart: LivePlace = { text: 0, thought: 0, change: 0 };

/** What is new in a turn. A text stands at its offset; the others replace what was told before. */
export type LiveChange =
  | { kind: "text" | "thought"; offset: number; text: string }
  | ({ kind: "tool"; id: string; offset: number; ms: number } & Omit<TurnTool, "offset" | "ms">)
  | { kind: "plan"; entries: TurnPlan }
  | { kind: "usage"; usage: TurnUsage };

/** A turn that a hosted agent is in, with what it has said and done so far, as far as that is kept. */
export type LiveTurn = {
  readonly agent: AgentId;
  readonly turn: TurnId;
  /** Wall time. */
  readonly startedAt: number;
  readonly messages: readonly MessageId[];
  /** At most so many changes after a place, and the place after them. */
  since(place: LivePlace, most: number): { changes: LiveChange[]; place: LivePlace };
};

export type LiveWatcher = {
  began(turn: LiveTurn): void;
  /** Something was added to it. */
  changed(turn: LiveTurn): void;
  /** It is in the journal; `at` is wall time. */
  ended(turn: LiveTurn, end: { stop: TurnStop; at: number }): void;
};

/** The turns that hosted agents are in. While nobody watches they are only kept. */
export type LiveTurns = {
  of(agent: AgentId): LiveTurn | undefined;
  all(): LiveTurn[];
  watch(watcher: LiveWatcher): () => void;
};
