import { fullAddress } from "../../model/address.js";
import { HubError } from "../../model/errors.js";
import type { Caller } from "./auth.js";

/** The sender is the credential's agent. A body may repeat that, never claim another. */
export function checkSender(caller: Caller, claimed: string | undefined): void {
  if (claimed === undefined) return;
  const own =
    caller.kind === "agent"
      ? [caller.agent.name, caller.agent.id, fullAddress(caller.agent)]
      : ["user", "human"];
  if (own.includes(claimed)) return;
  throw new HubError("SENDER_MISMATCH", `Your token is that of "${own[0]}"; it cannot send as another`, {
    sender: own[0],
  });
}
