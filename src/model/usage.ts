/** What usage is added up by. A day is the hub's own, where it runs. */
export const usageKinds = ["agent", "task", "workflow", "conversation", "day"] as const;
export type UsageKind = (typeof usageKinds)[number];

/** What may have a budget. */
export const budgetKinds = ["agent", "workflow"] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** What something may use until the person is asked; what is not named is not limited. */
export type Budget = { usd?: number | undefined; tokens?: number | undefined };

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
