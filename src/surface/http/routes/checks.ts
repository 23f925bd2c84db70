import { resolve } from "node:path";
import { checkRoutes } from "../../../contract/http/checks.js";
import { HubError } from "../../../model/errors.js";
import { memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

export function bindCheckRoutes(bind: BindRoute, { views, hosting, execute }: HubPorts): void {
  const configured = (name: string) =>
    Object.hasOwn(hosting.checks, name) ? hosting.checks[name] : undefined;

  bind(checkRoutes.list, () => {
    const allowed = views.allowedChecks.list();
    const names = new Set([...Object.keys(hosting.checks), ...allowed.map(({ check }) => check)]);
    return {
      checks: [...names].map((name) => ({
        name,
        argv: copyOf(configured(name)) ?? null,
        projects: allowed
          .filter(({ check }) => check === name)
          .map(({ project, argv }) => ({ project, argv: [...argv] })),
      })),
    };
  });

  bind(checkRoutes.allow, async ({ caller, param, body }) => {
    const name = param("name");
    const argv = configured(name);
    if (argv === undefined) {
      throw new HubError("CHECK_UNKNOWN", `No check is named "${name.slice(0, 100)}" in the configuration`, {
        available: Object.keys(hosting.checks),
      });
    }
    const project = hosting.checkProject(body.project);
    await execute("allowCheck", { check: name, argv, project, by: memberId(caller) });
    return { name, argv: [...argv], project };
  });

  bind(checkRoutes.forget, async ({ caller, param, body }) => {
    const name = param("name");
    // The folder may be gone: it is known by the path that it had.
    const project = body.project === undefined ? undefined : resolve(body.project);
    const projects = await execute("forgetCheck", { check: name, project, by: memberId(caller) });
    return { name, projects };
  });
}

function copyOf(argv: readonly string[] | undefined): string[] | undefined {
  return argv === undefined ? undefined : [...argv];
}
