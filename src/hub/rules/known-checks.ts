import { HubError } from "../../model/errors.js";
import type { HubContext } from "../context.js";

/** Only checks of the configuration can be asked for; what they run is never a caller's to say. */
export function checkKnown({ limits }: HubContext, checks: readonly string[]): void {
  const unknown = checks.find((name) => !limits.checks.includes(name));
  if (unknown === undefined) return;
  const known = limits.checks.length === 0 ? "there are none" : `there are ${limits.checks.join(", ")}`;
  throw new HubError("CHECK_UNKNOWN", `No check is named "${unknown}" in the configuration; ${known}`, {
    available: limits.checks,
  });
}
