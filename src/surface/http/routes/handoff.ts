import { handoffRoutes } from "../../../contract/http/handoff.js";
import { findAgent } from "../../../hub/rules/find-agent.js";
import { HubError } from "../../../model/errors.js";
import { memberId } from "../../caller/auth.js";
import { handOff } from "../../hand-off.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

export function bindHandoffRoutes(bind: BindRoute, ports: HubPorts): void {
  bind(
    handoffRoutes.handOff,
    ({ caller, param, body }) => {
      const by = memberId(caller);
      const agent = findAgent(ports.views, param("name"), by).id;
      if (agent !== by && caller.kind !== "operator") {
        throw new HubError("FORBIDDEN", "An agent hands over its own work; the operator anybody's");
      }
      return handOff(ports, { by, agent }, body);
    },
    { delivered: false },
  );
}
