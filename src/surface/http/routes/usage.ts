import { usageRoutes } from "../../../contract/http/usage.js";
import { addressNow } from "../../../hub/rules/address-of.js";
import { findAgent } from "../../../hub/rules/find-agent.js";
import { HubError } from "../../../model/errors.js";
import { budgetKinds, type UsageKind } from "../../../model/usage.js";
import { type Caller, memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { viewUsage } from "../../shown/usage-view.js";
import type { BindRoute } from "../bind-route.js";

/** Of an agent's tasks, those that are looked for. */
const TASKS_MOST = 10_000;

export function bindUsageRoutes(bind: BindRoute, { execute, views }: HubPorts): void {
  bind(usageRoutes.list, ({ caller, query: { by, limit, cursor } }) => {
    const me = memberId(caller);
    const found = views.usage.list(by, {
      keys: mayList(by, caller) ? undefined : ownKeys(by, me),
      before: cursor === undefined ? undefined : Number(cursor),
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    return {
      usage: page.map(({ key, ...totals }) => ({
        key,
        ...(by === "agent" ? { name: addressNow(views, key, key, me) } : {}),
        ...viewUsage(totals),
      })),
      next: found.length > limit ? String(page.at(-1)?.last ?? "") : null,
    };
  });

  function ownKeys(by: UsageKind, me: string): string[] {
    if (by === "agent") return [me];
    if (by === "task") return views.tasks.list({ of: me, limit: TASKS_MOST }).map(({ id }) => id);
    throw new HubError(
      "FORBIDDEN",
      `What a ${by} used is for the operator to see; an agent sees its own and its tasks`,
    );
  }

  bind(usageRoutes.decide, async ({ caller, param, body: { decision } }) => {
    const kind = budgetKinds.find((one) => one === param("kind"));
    if (kind === undefined)
      throw new HubError(
        "INVALID_INPUT",
        `kind: an agent or a workflow has a budget, not "${param("kind").slice(0, 64)}"`,
      );
    const key = kind === "agent" ? findAgent(views, param("key"), memberId(caller)).id : param("key");
    await execute("decideBudget", { kind, key, decision });
    return { kind, key, decision };
  });
}

/** All of them, whosever they are. */
function mayList(by: UsageKind, caller: Caller): boolean {
  if (caller.kind === "operator") return true;
  const isOrchestrator = caller.kind === "agent" && caller.agent.role === "orchestrator";
  return isOrchestrator && (by === "agent" || by === "task" || by === "workflow");
}
