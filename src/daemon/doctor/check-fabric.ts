import { existsSync } from "node:fs";
import { join } from "node:path";
import { findAdmissionEnding, findCertificateEndings } from "../../fabric/endings.js";
import { HubError } from "../../model/errors.js";
import type { Finding } from "../../model/finding.js";
import { createMembership } from "../fabric-membership.js";
import type { Place } from "./place.js";

/** What would shut hubs out of the fabric soon: this hub's admission, and at the steward the certificates of the servers. */
export function checkFabric({ paths }: Place, now: number): Finding[] {
  const keys = join(paths.config, "fabric");
  try {
    const admission = createMembership(paths).read();
    const isOwn = existsSync(join(keys, "fabric.json"));
    const ending = admission && findAdmissionEnding(Date.parse(admission.expires), isOwn, now);
    const endings = [...(ending === undefined ? [] : [ending]), ...findCertificateEndings(keys, now)];
    if (endings.length > 0)
      return endings.map(({ text, fix }) => ({ check: "fabric", state: "problem", text, fix }));
    if (admission === undefined) return [];
    const until = admission.expires.slice(0, 10);
    return [{ check: "fabric", state: "ok", text: `${admission.fabric}, admitted until ${until}` }];
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return [{ check: "fabric", state: "problem", text: error.message, fix: "huddle fabric request" }];
  }
}
