import { HubError } from "../model/errors.js";

/** A stream broke: waiting for the hub and opening it again may fix that. */
export function lostConnection(where: string, reason: string, cause?: Error): HubError {
  const text = `The connection to the hub at ${where} was lost: ${reason}`;
  return new HubError("HUB_UNREACHABLE", text, { url: where, reason }, { cause });
}
