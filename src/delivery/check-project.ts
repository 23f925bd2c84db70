import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { HubError } from "../model/errors.js";

/** The folder that an agent is to work in, without links, if it is one and agents may be there. */
export function checkProject(project: string, roots: readonly string[]): string {
  if (!isAbsolute(project)) {
    throw new HubError(
      "INVALID_INPUT",
      `The project must be an absolute path, not "${project.slice(0, 200)}"`,
    );
  }
  const real = resolved(project);
  if (real === undefined || !statSync(real).isDirectory()) {
    throw new HubError(
      "INVALID_INPUT",
      `There is no folder "${project.slice(0, 200)}" to work in; make it, or name another`,
      {
        project,
      },
    );
  }
  const allowed = roots.flatMap((root) => resolved(root) ?? []);
  if (!allowed.some((root) => isWithin(real, root))) {
    throw new HubError(
      "PROJECT_NOT_ALLOWED",
      `Agents may not work in "${project.slice(0, 200)}": it is not below ${roots.join(" or ")}. ` +
        "Choose another folder, or add it to allowed_roots in huddle.yaml",
      { project, allowed_roots: roots },
    );
  }
  return real;
}

function resolved(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isWithin(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}
