import type { z } from "zod";
import type { LivePart, livePartFrame, liveTurnFrame, turnUsage } from "../../contract/http/live.js";
import type { LiveChange, LiveTurn } from "../../model/live-turn.js";
import type { TurnStop, TurnUsage } from "../../model/turn.js";

/** Whose turn: the agent's address, its id, the turn's. */
type OfTurn = { agent: string; id: string; turn: string };

export function encodeBegan(of: OfTurn, { startedAt, messages }: LiveTurn, isUnderWay: boolean): string {
  return JSON.stringify({
    ...of,
    state: "began",
    at: new Date(startedAt).toISOString(),
    messages: [...messages],
    ...(isUnderWay ? { under_way: true } : {}),
  } satisfies z.input<typeof liveTurnFrame>);
}

export function encodeEnded(of: OfTurn, { stop, at }: { stop: TurnStop; at: number }): string {
  return JSON.stringify({
    ...of,
    state: "ended",
    at: new Date(at).toISOString(),
    stop,
  } satisfies z.input<typeof liveTurnFrame>);
}

export function encodeChange(of: OfTurn, change: LiveChange): string {
  return JSON.stringify({ ...of, part: toPart(change) } satisfies z.input<typeof livePartFrame>);
}

function toPart(change: LiveChange): LivePart {
  switch (change.kind) {
    case "text":
    case "thought":
      return { kind: change.kind, offset: change.offset, text: change.text };
    case "tool":
      return change;
    case "plan":
      return { kind: "plan", entries: [...change.entries] };
    default:
      return { kind: "usage", usage: viewTurnUsage(change.usage) };
  }
}

export function viewTurnUsage({ inputTokens, outputTokens, costUsd }: TurnUsage): z.input<typeof turnUsage> {
  return {
    ...(inputTokens === undefined ? {} : { input_tokens: inputTokens }),
    ...(outputTokens === undefined ? {} : { output_tokens: outputTokens }),
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
  };
}
