import type { IncomingMessage } from "node:http";
import { doctorRoutes } from "../../../contract/http/doctor.js";
import { hubRoutes } from "../../../contract/http/hub.js";
import { liveRoutes } from "../../../contract/http/live.js";
import { socketRoutes } from "../../../contract/socket/frames.js";
import { HubError } from "../../../model/errors.js";
import type { Tickets } from "../../caller/tickets.js";
import type { HubPorts } from "../../ports.js";
import { openEvents, openLive } from "../../streams/open-stream.js";
import type { ReaderRegistry } from "../../streams/reader-registry.js";
import { ANSWERED, type BindExchange, type BindRoute } from "../bind-route.js";
import { openApiDocument } from "../openapi.js";
import { streamOverSse } from "../sse.js";

export function bindHubRoutes(
  { bind, bindExchange }: { bind: BindRoute; bindExchange: BindExchange },
  ports: HubPorts,
  registry: ReaderRegistry,
  tickets: Tickets,
): void {
  bind(hubRoutes.health, () => ports.health());

  bind(hubRoutes.details, () => ports.healthDetails());

  bind(doctorRoutes.show, () => ports.doctor.read());
  bind(doctorRoutes.run, () => ports.doctor.start());

  bind(hubRoutes.ticket, ({ caller }) => ({
    ticket: tickets.issue(caller),
    expires_in_seconds: ports.limits.ticketLifeMs / 1000,
  }));

  bindExchange(hubRoutes.events, ({ query, ...call }) => {
    checkStream(call.incoming);
    const last = call.incoming.headers["last-event-id"];
    const startReader = openEvents(ports, call.caller, query, typeof last === "string" ? last : undefined);
    streamOverSse(ports, registry, { ...call, startReader });
    return ANSWERED;
  });

  bindExchange(liveRoutes.live, ({ query, ...call }) => {
    checkStream(call.incoming);
    streamOverSse(ports, registry, { ...call, startReader: openLive(ports, query) });
    return ANSWERED;
  });

  bind(socketRoutes.open, () => {
    throw new HubError("INVALID_INPUT", "Open this as a WebSocket");
  });

  let document: string | undefined;
  bind(hubRoutes.openapi, () => {
    document ??= JSON.stringify(openApiDocument());
    return new Response(document, { headers: { "content-type": "application/json" } });
  });
}

function checkStream({ headers }: IncomingMessage): void {
  if ((headers.accept ?? "").includes("text/event-stream")) return;
  throw new HubError(
    "INVALID_INPUT",
    "Open this as a WebSocket, or send the header Accept: text/event-stream for server-sent events",
  );
}
