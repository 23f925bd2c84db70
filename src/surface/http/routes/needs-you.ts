import { needsYouRoutes } from "../../../contract/http/needs-you.js";
import type { HubPorts } from "../../ports.js";
import { listNeeds } from "../../shown/needs-you.js";
import type { BindRoute } from "../bind-route.js";

export function bindNeedsYouRoutes(bind: BindRoute, ports: HubPorts): void {
  bind(needsYouRoutes.list, () => ({ items: listNeeds(ports) }));
}
