import { mcpRoutes } from "../../contract/http/mcp.js";
import { ANSWERED, type BindRoute } from "../http/bind-route.js";
import type { HubPorts } from "../ports.js";

/** `POST /mcp`. What serves it comes with the first call: the protocol's library is a third of a hub's start. */
export function bindMcpRoute(bind: BindRoute, ports: HubPorts): void {
  let loading: ReturnType<typeof load> | undefined;
  bind(mcpRoutes.call, async ({ caller, query, incoming, outgoing }) => {
    loading ??= load(ports);
    const serve = await loading;
    await serve({ caller, set: query.tools ?? "huddle", incoming, outgoing });
    return ANSWERED;
  });
}

async function load(ports: HubPorts) {
  const { createServeMcp } = await import("./serve-mcp.js");
  return createServeMcp(ports);
}
