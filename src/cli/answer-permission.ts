import type { HubClient } from "../client/hub-client.js";
import type { PermissionDecision } from "../model/permission.js";
import type { CliContext } from "./context.js";
import { escapeLine } from "./escape-text.js";
import { usageError } from "./usage-error.js";

/** Approves or denies a permission request. */
export async function answerPermission(
  cli: CliContext,
  given: string,
  decision: PermissionDecision,
): Promise<void> {
  const client = await cli.client();
  const answered = await client.answerPermission(await fullId(client, given), decision);
  cli.output.confirm(answered, () => {
    const what = answered.outcome === "deny" ? "may not" : `may (${answered.outcome})`;
    return `${cli.output.colors.green("✓")} ${escapeLine(answered.agent)} ${what}`;
  });
}

/** The beginning of an id will do, where it is the beginning of one only. */
async function fullId(client: HubClient, given: string): Promise<string> {
  const { permissions } = await client.permissions();
  const meant = permissions.filter(({ id }) => id === given || id.startsWith(given) || id.endsWith(given));
  if (meant.length > 1)
    throw usageError(`"${given}" is the id of ${meant.length} questions`, "Give more of it");
  return meant[0]?.id ?? given;
}
