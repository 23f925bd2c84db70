import type { TurnUsage } from "./turn.js";

/** What usage is added up by. A day is the hub's own, where it runs. */
export const usageKinds = ["agent", "task", "workflow", "conversation", "day"] as const;
export type UsageKind = (typeof usageKinds)[number];

/** What may have a budget. */
export const budgetKinds = ["agent", "workflow"] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** What something may use until the person is asked; what is not named is not limited. */
export type Budget = { usd?: number | undefined; tokens?: number | undefined };

/** Of what is told of a whole session, what came since it was told before; all of it, where a session begins anew. */
export function sinceBefore(told: TurnUsage, before: TurnUsage): TurnUsage {
  const since = (now: number | undefined, then = 0) =>
    now === undefined ? undefined : now >= then ? now - then : now;
  const inputTokens = since(told.inputTokens, before.inputTokens);
  const outputTokens = since(told.outputTokens, before.outputTokens);
  const costUsd = since(told.costUsd, before.costUsd);
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

/** What was used: tokens in and out together. */
export type Used = { usd: number; tokens: number };

/** The part of a budget that is used up, if one is: what was used since counts. */
export function usedUp({ usd, tokens }: Budget, used: Used): Budget | undefined {
  if (usd !== undefined && used.usd >= usd) return { usd };
  return tokens !== undefined && used.tokens >= tokens ? { tokens } : undefined;
}

export function sayBudget({ usd, tokens }: Budget): string {
  return usd === undefined ? `${tokens ?? 0} tokens` : `$${usd}`;
}
