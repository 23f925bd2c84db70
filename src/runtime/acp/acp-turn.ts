import { z } from "zod";
import type { ContextUse } from "../../model/turn.js";
import { createTextTail } from "../process/text-tail.js";
import type { OutputPart, TurnEnd, TurnListener, TurnStop, Usage } from "../runtime.js";
import { readTokens } from "./read-update.js";

/** One prompt and what came of it. */
export type AcpTurn = {
  taken(): void;
  responds(): void;
  add(part: OutputPart): void;
  /** By now, in this turn and in the whole session. */
  spent(usd: number, sessionUsd: number): void;
  /** How full its context is. */
  filled(context: ContextUse): void;
  cancel(): void;
  end(answer: unknown): TurnEnd;
  fail(sentence: string): TurnEnd;
};

/** The end of what an agent said in a turn is what matters, should it be more than this. */
const textLimit = 1024 * 1024;

const answerSchema = z.looseObject({ stopReason: z.string(), usage: z.unknown().optional() });

export function createTurn(listener: TurnListener): AcpTurn {
  const text = createTextTail(textLimit);
  let stage: "asked" | "taken" | "responding" = "asked";
  let cancelled = false;
  let costUsd: number | undefined;
  let sessionUsage: Usage | undefined;
  let context: ContextUse | undefined;

  function taken(): void {
    if (stage !== "asked") return;
    stage = "taken";
    listener.taken("acp_prompt");
  }

  function responds(): void {
    // Its answer may be read before its pipe says that it has all of the prompt.
    taken();
    if (stage === "responding") return;
    stage = "responding";
    listener.responding();
  }

  function finish(stop: TurnStop, usage: Usage | undefined, error?: string): TurnEnd {
    taken();
    const all = { ...usage, ...(costUsd === undefined ? {} : { costUsd }) };
    return {
      stop,
      text: text.read(),
      ...(Object.keys(all).length === 0 ? {} : { usage: all }),
      // One that was taken up again counts on from before, and this process was not there then.
      ...(sessionUsage === undefined ? {} : { sessionUsage }),
      ...(context === undefined ? {} : { context }),
      ...(error === undefined ? {} : { error }),
    };
  }

  return {
    taken,
    responds,
    add(part) {
      responds();
      if (part.kind === "text") text.add(part.text);
    },
    spent(usd, sessionUsd) {
      costUsd = (costUsd ?? 0) + usd;
      sessionUsage = { costUsd: sessionUsd };
    },
    filled(use) {
      context = use;
    },
    cancel() {
      cancelled = true;
    },
    end(answer) {
      const parsed = answerSchema.safeParse(answer);
      if (!parsed.success) return this.fail("it ended the turn without a reason");
      const stop = stopWords[parsed.data.stopReason];
      if (stop === undefined) return this.fail(`it stopped for "${parsed.data.stopReason.slice(0, 100)}"`);
      return finish(stop, readTokens(parsed.data.usage));
    },
    fail(sentence) {
      // Some agents answer a prompt that was cancelled with an error.
      return cancelled ? finish("cancelled", undefined) : finish("error", undefined, sentence);
    },
  };
}

const stopWords: Readonly<Record<string, TurnStop>> = {
  end_turn: "end_turn",
  cancelled: "cancelled",
  max_tokens: "max_tokens",
  max_turn_requests: "max_turns",
  refusal: "refusal",
};
