import { errorContracts } from "../../contract/errors.js";
import type { HubErrorCode } from "../../model/errors.js";

/** What a refusal is over HTTP. One that was never meant for a client is the hub's own failure. */
export function httpStatus(code: HubErrorCode): number {
  const contract = errorContracts[code];
  return "status" in contract ? contract.status : 500;
}
