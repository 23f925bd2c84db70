import { maintenanceRoutes } from "../../../contract/http/maintenance.js";
import { HubError } from "../../../model/errors.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

export function bindMaintenanceRoutes(bind: BindRoute, { maintenance }: HubPorts): void {
  bind(maintenanceRoutes.backup, ({ body }) => maintenance.backUp(body.file));

  bind(maintenanceRoutes.prune, async ({ body }) => {
    const before = /^\d{4}-\d{2}-\d{2}/.test(body.before) ? Date.parse(body.before) : Number.NaN;
    if (Number.isNaN(before)) {
      throw new HubError("INVALID_INPUT", `before: "${body.before}" is not an ISO 8601 time`);
    }
    const { events, first, keptBy } = await maintenance.pruneBefore(before);
    return { events, first, kept_by: keptBy };
  });
}
