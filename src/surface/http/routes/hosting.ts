import { hostingRoutes } from "../../../contract/http/hosting.js";
import { addressNow } from "../../../hub/rules/address-of.js";
import { findAgent } from "../../../hub/rules/find-agent.js";
import { memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

/** How long an attached agent has to read that it is to end, and how long a kill may take. */
const READ_WITHIN_MS = 30_000;
const KILLED_WITHIN_MS = 10_000;

/** Agents that the hub runs. */
export function bindHostingRoutes(bind: BindRoute, { hosting, views }: HubPorts): void {
  bind(hostingRoutes.spawn, async ({ caller, body }) => {
    const by = memberId(caller);
    const { name, ...made } = await hosting.spawn({ ...body, by });
    return { spawned: true as const, ...made, name: addressNow(views, made.id, name, by) };
  });

  bind(hostingRoutes.adopt, async ({ caller, body }) => {
    const by = memberId(caller);
    const { id, name, pane, backend, state, words, bridged } = await hosting.adopt({ ...body, by });
    return { id, name: addressNow(views, id, name, by), pane, backend, state, words, bridged };
  });

  bind(hostingRoutes.panes, async ({ query }) => ({ panes: await hosting.panes(query) }));

  bind(hostingRoutes.shutdown, ({ caller, param, body }) => {
    const agent = findAgent(views, param("name"), memberId(caller)).id;
    return hosting.shutdown({ agent, by: memberId(caller), reason: body.reason, waitMs: READ_WITHIN_MS });
  });

  bind(hostingRoutes.kill, ({ caller, param }) => {
    const agent = findAgent(views, param("name"), memberId(caller)).id;
    return hosting.kill({ agent, by: memberId(caller), waitMs: KILLED_WITHIN_MS });
  });
}
