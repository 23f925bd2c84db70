import { obligationRoutes } from "../../../contract/http/obligations.js";
import type { HubPorts } from "../../ports.js";
import { listObligations } from "../../shown/obligation-view.js";
import type { BindRoute } from "../bind-route.js";

export function bindObligationRoutes(bind: BindRoute, ports: HubPorts): void {
  bind(obligationRoutes.list, async ({ caller, query }) => ({
    obligations: await listObligations(ports, caller, query.agent),
  }));
}
