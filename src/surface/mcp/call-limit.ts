import { patientClients } from "../../runtime/vendors/clients.js";

/*
 * How long one call may take before its client gives up. Claude Code moves a call to the background after 120 s; others that
 * are known to be patient allow more. One that is not known and did not ask for progress probably has the protocol's usual 60 s.
 */
const KNOWN_MS = 110_000;
const UNKNOWN_MS = 50_000;

/** `client` is `name/version`. */
export function longestCall(client: string | undefined, wantsProgress: boolean): number {
  const isKnown = patientClients.some(
    (name) => client === name || client?.startsWith(`${name}/`) || client?.startsWith(`${name}-`),
  );
  return wantsProgress || isKnown ? KNOWN_MS : UNKNOWN_MS;
}
