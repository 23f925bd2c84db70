import { errorContracts } from "../../contract/errors.js";
import type { HubErrorCode } from "../../model/errors.js";

/** What a refusal is over HTTP. One that was never meant for a client is the hub's own failure. */
export function httpStatus(code: HubErrorCode): number {
  return errorContracts[code].status ?? 500;
}

/** Seconds, where the refusal passes by itself. */
export function retryAfter(code: HubErrorCode): number | undefined {
  return errorContracts[code].retryAfter;
}
