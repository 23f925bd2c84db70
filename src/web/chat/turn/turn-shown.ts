import type { TurnView } from "../../../contract/http/turns.js";
import type { LiveTurn } from "../../hub/live-turn.js";

/*
 * A turn as a chat shows it, while it runs and afterwards. When a live one ends, the journal has it under the same id, and takes
 * its place in the same row.
 */

export type ToolCall = TurnView["tools"][number] & {
  id?: string;
  /** Of one that runs: since when, by this page's clock. */
  since?: number;
};

export type TurnShown = Omit<TurnView, "tools" | "plan" | "messages" | "seq"> & {
  messages: readonly string[];
  tools: readonly ToolCall[];
  plan: readonly TurnView["plan"][number][];
  /** Running, over, or cut off from this page in between. */
  state: "running" | "ended" | "unknown";
};

/** From the journal. */
export function showTurn(turn: TurnView, isHubAway: boolean): TurnShown {
  const { seq: _, ...rest } = turn;
  return { ...rest, state: stateOf(turn.ended, isHubAway) };
}

/** From what was told while it ran. */
export function showLive(live: LiveTurn, isHubAway: boolean): TurnShown {
  const { text, thoughts, ended } = live;
  const isCut = text.from > 0 || thoughts.from > 0;
  return {
    turn: live.turn,
    started: live.began,
    ended: ended?.at ?? null,
    stop: ended?.stop ?? null,
    messages: live.messages,
    text: text.text,
    thoughts: thoughts.text,
    tools: live.tools.map((call) => ({ ...call, since: call.toldAt - call.ms })),
    plan: live.plan,
    usage: live.usage ?? null,
    ...(isCut ? { cut: { text: text.from, thoughts: thoughts.from } } : {}),
    state: stateOf(ended?.at ?? null, isHubAway),
  };
}

function stateOf(ended: string | null, isHubAway: boolean): TurnShown["state"] {
  if (ended !== null) return "ended";
  return isHubAway ? "unknown" : "running";
}

/**
 * All that are known, each once. A live one is newer than what the journal has of it, until that is over there too. Without a
 * live one, an open turn of the journal runs, and this page will hear of it in a moment.
 */
export function joinTurns(journal: readonly TurnShown[], live: TurnShown | undefined): TurnShown[] {
  if (live === undefined) return [...journal];
  const kept = journal.find(({ turn }) => turn === live.turn);
  if (kept === undefined) return [...journal, live];
  return kept.ended === null ? journal.map((one) => (one === kept ? live : one)) : [...journal];
}
