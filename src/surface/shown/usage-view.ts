import type { z } from "zod";
import type { usageTotals } from "../../contract/http/usage.js";
import type { UsageKind } from "../../model/usage.js";
import type { TightViews } from "../../views/tight.js";
import { noUsage, type Totals } from "../../views/usage.js";

export type UsageView = z.input<typeof usageTotals>;

/** What the turns of an agent, for a task, in a workflow or conversation, or on a day used together. */
export function usageOf(views: TightViews, kind: UsageKind, key: string): UsageView {
  return viewUsage(views.usage.of(kind, key) ?? noUsage);
}

export function viewUsage({ inputTokens, outputTokens, costUsd, turns, uncosted }: Totals): UsageView {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cost_usd: costUsd === null ? null : withoutNoise(costUsd),
    ...(costUsd !== null && uncosted > 0 ? { cost_partial: true as const } : {}),
    turns,
  };
}

/** Sums of fractions end in noise; nothing costs a millionth of a dollar. */
function withoutNoise(usd: number): number {
  return Math.round(usd * 1_000_000) / 1_000_000;
}
