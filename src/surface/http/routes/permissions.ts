import { permissionRoutes } from "../../../contract/http/permissions.js";
import { addressNow } from "../../../hub/rules/address-of.js";
import { shownAnswer } from "../../../hub/rules/shown-answer.js";
import { HUMAN_ID } from "../../../model/agent.js";
import type { AskedPermission } from "../../../views/permissions.js";
import { isDesk } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

export function bindPermissionRoutes(bind: BindRoute, ports: HubPorts): void {
  const { views, execute, now } = ports;
  const nameOf = (agent: string) => addressNow(views, agent, agent, HUMAN_ID);

  bind(permissionRoutes.list, ({ query: { state, limit } }) => {
    const found = state === "open" ? views.permissions.open() : views.permissions.answered(limit);
    return { permissions: found.map(shown) };
  });

  function shown({ permission, at, expiresAt, ...answer }: AskedPermission) {
    const { id, agent, tool, title, act, details, options } = permission;
    const isOpen = answer.outcome === null;
    const leftMs = expiresAt === null || !isOpen ? null : Math.max(0, expiresAt - now());
    return {
      id,
      agent: nameOf(agent),
      tool,
      title,
      act,
      details,
      options: [...options],
      asked: new Date(at).toISOString(),
      expires_in_seconds: leftMs === null ? null : Math.ceil(leftMs / 1000),
      ...(isOpen ? {} : shownAnswer(views, answer)),
    };
  }

  bind(permissionRoutes.answer, async ({ caller, param, body }) => {
    const asked = views.permissions.byId(param("id"));
    // A screen that cannot be looked at now is no reason not to answer: the key is pressed after a look of its own.
    if (asked?.outcome === null) await ports.hosting.recheck(asked.permission.agent).catch(() => {});
    const { permission, agent, outcome } = await execute("answerPermission", {
      permission: param("id"),
      decision: body.decision,
      by: HUMAN_ID,
      via: isDesk(caller) ? "desk" : undefined,
    });
    const run = asked?.permission.run;
    return {
      id: permission,
      agent: nameOf(agent),
      outcome,
      ...(run === undefined ? {} : { check: { name: run.check, argv: [...run.argv], project: run.project } }),
    };
  });
}
