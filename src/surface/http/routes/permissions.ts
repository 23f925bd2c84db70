import { permissionRoutes } from "../../../contract/http/permissions.js";
import { addressNow } from "../../../hub/rules/address-of.js";
import { HUMAN_ID } from "../../../model/agent.js";
import { isDesk } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

export function bindPermissionRoutes(bind: BindRoute, ports: HubPorts): void {
  const { views, execute, now } = ports;
  const nameOf = (agent: string) => addressNow(views, agent, agent, HUMAN_ID);

  bind(permissionRoutes.list, () => ({
    permissions: views.permissions.open().map(({ permission, at, expiresAt }) => ({
      id: permission.id,
      agent: nameOf(permission.agent),
      tool: permission.tool,
      title: permission.title,
      act: permission.act,
      details: permission.details,
      options: [...permission.options],
      asked: new Date(at).toISOString(),
      expires_in_seconds: expiresAt === null ? null : Math.max(0, Math.ceil((expiresAt - now()) / 1000)),
    })),
  }));

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
