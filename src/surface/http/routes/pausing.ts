import { pausingRoutes } from "../../../contract/http/pausing.js";
import { findAgent } from "../../../hub/rules/find-agent.js";
import { type Caller, memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

export function bindPausingRoutes(bind: BindRoute, { execute, views }: HubPorts): void {
  const meant = (caller: Caller, name: string) => ({
    by: memberId(caller),
    agent: findAgent(views, name, memberId(caller)).id,
  });

  bind(pausingRoutes.pauseAll, ({ caller, body }) =>
    execute("pauseAgents", { by: memberId(caller), now: body.now }),
  );
  bind(pausingRoutes.resumeAll, ({ caller }) => execute("resumeAgents", { by: memberId(caller) }));
  bind(pausingRoutes.pause, ({ caller, param, body }) =>
    execute("pauseAgents", { ...meant(caller, param("name")), now: body.now }),
  );
  bind(pausingRoutes.resume, ({ caller, param }) => execute("resumeAgents", meant(caller, param("name"))));
}
