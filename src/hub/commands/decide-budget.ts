import { type AgentId, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { BudgetKind } from "../../model/usage.js";
import type { HubContext, HubDecider } from "../context.js";
import { cancelFlow } from "../rules/cancel-flow.js";
import { isPresent } from "../rules/present-agent.js";
import { runHeld } from "../rules/run-steps.js";
import { budgetUsedUp, reachBudget, usedBy } from "../rules/spending.js";
import { flowOf } from "../rules/workflow-flow.js";

type DecideBudget = { kind: BudgetKind; key: string; decision: "continue" | "stop" };

/** The person lets what is at its budget go on, with as much again, or ends it. */
export const decideBudget: HubDecider<DecideBudget, void> = ({ kind, key, decision }, context) => {
  const { views } = context;
  if (views.budgets.reached(kind, key) === undefined) {
    throw new HubError(
      "BUDGET_NOT_REACHED",
      `The budget of this ${kind} is not used up: nothing waits for you`,
      {
        reached: views.budgets.allReached().map((one) => ({ kind: one.kind, key: one.key })),
      },
    );
  }
  const used = usedBy(context, kind, key);
  const decidedBudget = newEvent("BudgetDecided", kind === "agent" ? key : null, {
    kind,
    key,
    decision,
    by: HUMAN_ID,
    used,
  });
  const means = kind === "agent" ? forAgent : forWorkflow;
  return decided([decidedBudget, ...means(context, key, decision)], undefined);
};

type Decision = DecideBudget["decision"];

/** What was held by its budget begins, or all of it is cancelled. */
function forWorkflow(context: HubContext, key: string, decision: Decision): NewEvent[] {
  const flow = flowOf(context, key);
  if (flow === undefined || flow.isOver) return [];
  return decision === "stop" ? cancelFlow(context, flow, "its budget is used up") : runHeld(context, flow);
}

/** An agent ends like one that is shut down: what waits for it comes back to its senders. */
function forAgent({ views }: HubContext, key: AgentId, decision: Decision): NewEvent[] {
  if (decision === "continue" || !isPresent(views, key)) return [];
  const reason = "its budget is used up";
  return [newEvent("ShutdownRequested", key, { agent: key, by: HUB_ID, reason, hosted: true })];
}

/** The configuration may be another since the hub last ran: who is at its budget is looked at anew. */
export const reviewBudgets: HubDecider<Record<never, never>, void> = (_, context) => {
  const { views, limits } = context;
  const budget = limits.agentBudget;
  const events = views.roster.present().flatMap(({ id: key }) => {
    const kind = "agent" as const;
    const used = usedBy(context, kind, key);
    const reached = budgetUsedUp(context, { kind, key, budget, used });
    const isKnown = views.budgets.reached(kind, key) !== undefined;
    if (reached !== undefined && !isKnown) return reachBudget(context, { kind, key, budget: reached, used });
    if (reached !== undefined || !isKnown) return [];
    return [newEvent("BudgetDecided", key, { kind, key, decision: "lifted", by: HUB_ID, used })];
  });
  return decided([...events, ...liftWorkflows(context)], undefined);
};

/** Workflows that were at a budget that is higher now, or none any more, go on. */
function liftWorkflows(context: HubContext): NewEvent[] {
  return context.views.budgets.allReached().flatMap(({ kind, key }) => {
    const flow = kind === "workflow" ? flowOf(context, key) : undefined;
    if (kind !== "workflow" || flow === undefined || flow.isOver) return [];
    const budget = flow.workflow.budget ?? context.limits.workflowBudget;
    const used = usedBy(context, kind, key);
    if (budgetUsedUp(context, { kind, key, budget, used }) !== undefined) return [];
    const lifted = newEvent("BudgetDecided", null, { kind, key, decision: "lifted", by: HUB_ID, used });
    return [lifted, ...runHeld(context, flow)];
  });
}
