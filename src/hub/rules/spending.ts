import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { type EventData, type NewEvent, newEvent } from "../../model/events.js";
import { type Budget, type BudgetKind, sayBudget, type Used, usedUp } from "../../model/usage.js";
import type { Totals } from "../../views/usage.js";
import type { HubContext } from "../context.js";
import { addressOf } from "./address-of.js";
import { notify } from "./notify.js";
import { flowOf } from "./workflow-flow.js";

/** What an agent or workflow has used so far. */
export function usedBy({ views }: HubContext, kind: BudgetKind, key: string): Used {
  return toUsed(views.usage.of(kind, key));
}

function toUsed(totals: Totals | undefined): Used {
  const { costUsd = null, inputTokens = 0, outputTokens = 0 } = totals ?? {};
  return { usd: costUsd ?? 0, tokens: inputTokens + outputTokens };
}

/** The part of its budget that is used up since the person last let it go on, if one is. */
export function budgetUsedUp(
  { views }: HubContext,
  { kind, key, budget, used }: { kind: BudgetKind; key: string; budget: Budget; used: Used },
): Budget | undefined {
  if (budget.usd === undefined && budget.tokens === undefined) return undefined;
  const from = views.budgets.from(kind, key);
  return usedUp(budget, { usd: used.usd - from.usd, tokens: used.tokens - from.tokens });
}

/** A turn ended: the person is asked when by it its agent, or the workflow that it was for, has used what it may. */
export function spend(context: HubContext, turn: EventData["TurnEnded"]): NewEvent[] {
  if (turn.usage === undefined || turn.stop === "not_taken") return [];
  const { costUsd = 0, inputTokens = 0, outputTokens = 0 } = turn.usage;
  const more = { usd: costUsd, tokens: inputTokens + outputTokens };
  const { agentBudget, workflowBudget } = context.limits;
  const byAgent = add(context, { kind: "agent", key: turn.agent, budget: agentBudget, more });
  const flow = turn.workflow === undefined ? undefined : flowOf(context, turn.workflow);
  if (flow === undefined) return byAgent;
  const budget = flow.workflow.budget ?? workflowBudget;
  const byWorkflow = add(context, { kind: "workflow", key: flow.id, budget, more });
  // What the same decision would begin next must know.
  if (byWorkflow.length > 0) flow.isHeld = true;
  return [...byAgent, ...byWorkflow];
}

type Spending = { kind: BudgetKind; key: string; budget: Budget; more: Used };

function add(context: HubContext, { kind, key, budget, more }: Spending): NewEvent[] {
  if (context.views.budgets.reached(kind, key) !== undefined) return [];
  const before = usedBy(context, kind, key);
  const used = { usd: before.usd + more.usd, tokens: before.tokens + more.tokens };
  const reached = budgetUsedUp(context, { kind, key, budget, used });
  return reached === undefined ? [] : reachBudget(context, { kind, key, budget: reached, used });
}

export function reachBudget(context: HubContext, reached: EventData["BudgetReached"]): NewEvent[] {
  const { kind, key, budget } = reached;
  const name = kind === "agent" ? nameOf(context, key) : key;
  const waits = kind === "agent" ? "Its mail waits" : "No further step begins";
  return [
    newEvent("BudgetReached", kind === "agent" ? key : null, reached),
    notify(context, {
      to: [HUMAN_ID],
      type: "system",
      content:
        `The budget of ${name}, ${sayBudget(budget)}, is used up. ${waits}. ` +
        `Let it go on with as much again, or end it: huddle budget continue|stop ${name}`,
      attention: "queue",
      notice: "ask",
      metadata: { ask: "budget", reason: "budget", kind, key },
    }),
  ];
}

function nameOf({ views }: HubContext, id: AgentId): string {
  const agent = views.roster.byId(id);
  return agent === undefined ? id : addressOf(views, agent, undefined);
}
