import type { PermissionList } from "../client/hub-client.js";
import { escapeLine } from "./escape-text.js";
import type { Colors } from "./output.js";

const DETAILS_MOST = 500;

/** Permission requests, each with the command that answers it. */
export function renderPermissions({ permissions }: PermissionList, colors: Colors): string {
  return permissions.map((asked) => renderOne(asked, colors)).join("\n\n");
}

function renderOne(
  { id, agent, tool, title, act, details, expires_in_seconds }: PermissionList["permissions"][number],
  colors: Colors,
): string {
  const left = expires_in_seconds === null ? "" : colors.dim(` (${expires_in_seconds} s left)`);
  const exactly = escapeLine(JSON.stringify(details) ?? "").slice(0, DETAILS_MOST);
  return [
    `${colors.yellow("?")} ${colors.bold(escapeLine(agent))} asks permission to ${escapeLine(act)}: ${escapeLine(title)}${left}`,
    `  ${escapeLine(tool)} ${exactly}`,
    `  huddle approve ${escapeLine(id)}   huddle deny ${escapeLine(id)}`,
  ].join("\n");
}
