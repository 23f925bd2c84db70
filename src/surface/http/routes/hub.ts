import { hubRoutes } from "../../../contract/http/hub.js";
import { HubError } from "../../../model/errors.js";
import type { Tickets } from "../../caller/tickets.js";
import type { HubPorts } from "../../ports.js";
import type { ReaderRegistry } from "../../streams/reader-registry.js";
import { streamStart } from "../../streams/stream-start.js";
import { ANSWERED, type BindRoute } from "../bind-route.js";
import { openApiDocument } from "../openapi.js";
import { streamOverSse } from "../sse.js";

export function bindHubRoutes(
  bind: BindRoute,
  ports: HubPorts,
  registry: ReaderRegistry,
  tickets: Tickets,
): void {
  bind(hubRoutes.health, () => ports.health());

  bind(hubRoutes.ticket, ({ caller }) => ({
    ticket: tickets.issue(caller),
    expires_in_seconds: ports.limits.ticketLifeMs / 1000,
  }));

  bind(hubRoutes.events, ({ caller, query, incoming, outgoing }) => {
    if (!(incoming.headers.accept ?? "").includes("text/event-stream")) {
      throw new HubError(
        "INVALID_INPUT",
        "Open this as a WebSocket, or send the header Accept: text/event-stream for server-sent events",
      );
    }
    const lastEventId = incoming.headers["last-event-id"];
    const after = streamStart(ports, query, typeof lastEventId === "string" ? lastEventId : undefined);
    streamOverSse(ports, registry, { caller, after, incoming, outgoing });
    return ANSWERED;
  });

  let document: string | undefined;
  bind(hubRoutes.openapi, () => {
    document ??= JSON.stringify(openApiDocument());
    return new Response(document, { headers: { "content-type": "application/json" } });
  });
}
