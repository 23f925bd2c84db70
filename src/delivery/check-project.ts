import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { HubError } from "../model/errors.js";
import { findInRoots, realPath } from "../runtime/fs/allowed-roots.js";

/**
 * The folder that an agent is to work in, without links, if it is one and agents may be there. Asked when a project is
 * chosen and again at each start of a process: meanwhile the folder may have become a link to another.
 */
export function checkProject(project: string, roots: readonly string[]): string {
  if (!isAbsolute(project)) {
    throw new HubError(
      "INVALID_INPUT",
      `The project must be an absolute path, not "${project.slice(0, 200)}"`,
    );
  }
  const real = realPath(project);
  if (real === undefined || !statSync(real).isDirectory()) {
    throw new HubError(
      "INVALID_INPUT",
      `There is no folder "${project.slice(0, 200)}" to work in; make it, or name another`,
      { project },
    );
  }
  const allowed = findInRoots(real, roots);
  if (allowed !== undefined) return allowed;
  throw new HubError(
    "PROJECT_NOT_ALLOWED",
    `Agents may not work in "${project.slice(0, 200)}": it is not below ${roots.join(" or ")}. ` +
      "Choose another folder, or add it to allowed_roots in huddle.yaml",
    { project, allowed_roots: roots },
  );
}
