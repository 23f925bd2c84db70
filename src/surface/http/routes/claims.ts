import { claimRoutes } from "../../../contract/http/claims.js";
import { memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { claimsPage } from "../../shown/claims-page.js";
import type { BindRoute } from "../bind-route.js";

export function bindClaimRoutes(bind: BindRoute, ports: HubPorts): void {
  const { execute } = ports;

  bind(claimRoutes.decide, ({ caller, body }) =>
    execute("claimWork", {
      agent: memberId(caller),
      task: body.task,
      action: body.action,
      leaseMs: body.lease_seconds === undefined ? undefined : Math.ceil(body.lease_seconds * 1000),
    }),
  );

  bind(claimRoutes.list, ({ caller, query }) => claimsPage(ports, query, memberId(caller)));
}
