import { requestRoutes } from "../../../contract/http/requests.js";
import { recallRequest } from "../../../hub/rules/find-request.js";
import { HubError } from "../../../model/errors.js";
import { memberId } from "../../caller/auth.js";
import { claimRequest } from "../../claim-request.js";
import type { HubPorts } from "../../ports.js";
import { viewRequest } from "../../shown/request-view.js";
import type { BindRoute } from "../bind-route.js";

export function bindRequestRoutes(bind: BindRoute, ports: HubPorts): void {
  const { execute, views } = ports;

  bind(requestRoutes.open, async ({ caller, body }) => {
    const { requestId, status } = await execute("openRequest", {
      from: memberId(caller),
      description: body.description,
      context: body.context,
      timeoutMs: body.timeout_seconds === undefined ? undefined : Math.ceil(body.timeout_seconds * 1000),
      hubs: body.hubs,
      id: body.id,
    });
    return { request_id: requestId, status };
  });

  bind(requestRoutes.list, ({ caller, query }) => {
    const { limit } = query;
    const before = query.cursor === undefined ? undefined : views.requests.byId(query.cursor);
    if (query.cursor !== undefined && before === undefined) {
      throw new HubError("INVALID_INPUT", "cursor: not one that a page of requests gave as `next`");
    }
    const found = views.requests.list({ status: query.status, before, limit: limit + 1 });
    const page = found.slice(0, limit);
    return {
      requests: page.map((request) => viewRequest(request, caller, ports)),
      next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  });

  bind(requestRoutes.show, ({ caller, param }) =>
    viewRequest(recallRequest(views, param("id")), caller, ports),
  );

  bind(requestRoutes.claim, async ({ caller, param }) => {
    const { request, ...claim } = await claimRequest(ports, memberId(caller), param("id"));
    return { ...claim, request: viewRequest(request, caller, ports) };
  });

  bind(requestRoutes.answer, async ({ caller, param, body }) => {
    const { messageId, request } = await execute("answerRequest", {
      agent: memberId(caller),
      request: param("id"),
      content: body.message,
      id: body.id,
    });
    return { answered: true as const, message_id: messageId, request: viewRequest(request, caller, ports) };
  });

  bind(requestRoutes.nudge, async ({ caller, param }) => {
    const { nudged, request } = await execute("nudgeRequest", {
      agent: memberId(caller),
      request: param("id"),
    });
    return { nudged, request: viewRequest(request, caller, ports) };
  });
}
