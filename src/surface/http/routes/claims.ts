import { claimRoutes } from "../../../contract/http/claims.js";
import { addressNow } from "../../../hub/rules/address-of.js";
import { memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

export function bindClaimRoutes(bind: BindRoute, ports: HubPorts): void {
  const { execute, views } = ports;

  bind(claimRoutes.decide, ({ caller, body }) =>
    execute("claimWork", {
      agent: memberId(caller),
      task: body.task,
      action: body.action,
      leaseMs: body.lease_seconds === undefined ? undefined : Math.ceil(body.lease_seconds * 1000),
    }),
  );

  bind(claimRoutes.list, ({ caller, query }) => {
    const { limit } = query;
    const now = ports.now();
    const found = views.work.list(query.cursor ?? "", limit + 1);
    const page = found.slice(0, limit);
    return {
      claims: page
        .filter(({ until }) => until > now)
        .map(({ task, owner, ownerName, since, until }) => ({
          task,
          owner: addressNow(views, owner, ownerName, memberId(caller)),
          since: iso(since),
          expires_in_seconds: (until - now) / 1000,
        })),
      next: found.length > limit ? (page.at(-1)?.task ?? null) : null,
    };
  });
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
