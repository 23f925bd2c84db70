import { sessionRoutes } from "../../../contract/http/sessions.js";
import { HubError } from "../../../model/errors.js";
import { memberId, viewerOf } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { createSession, otherSession, sessionState } from "../../sessions.js";
import type { BindRoute } from "../bind-route.js";

export function bindSessionRoutes(bind: BindRoute, ports: HubPorts): void {
  const { execute } = ports;

  bind(sessionRoutes.create, ({ caller, body }) =>
    createSession(ports, { ...body, creator: memberId(caller) }),
  );

  bind(sessionRoutes.send, async ({ caller, param, body }) => {
    const from = memberId(caller);
    const session = otherSession(ports, param("id"), body.fromSession ?? from);
    if (body.fromSession !== undefined && body.fromSession !== from) {
      throw new HubError("SENDER_MISMATCH", `Your session is "${from}"; fromSession cannot be another`, {
        fromSession: from,
      });
    }
    const receipt = await execute("sendMessage", {
      from,
      to: { id: session.id },
      content: body.message,
      source: body.source === "agent" ? undefined : body.source,
      applet: body.applet,
    });
    return { messageId: receipt.messageId, status: "dispatched" as const };
  });

  bind(sessionRoutes.state, ({ caller, param }) => sessionState(ports, param("id"), viewerOf(caller)));
}
