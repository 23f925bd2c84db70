import { HubError } from "../../model/errors.js";
import { MCP_LOOKS } from "../../model/mcp-looks.js";
import type { Caller } from "../caller/auth.js";
import type { Definitions } from "./definitions.js";

/*
 * A visitor is a program that has not registered an agent (yet): it holds the join token, or says so itself. It is answered as
 * an agent would be, in so far as that needs none: programs look at a server's tools without wanting to be anybody.
 */

/** The operator's token registers agents, too: whoever is about to do so is offered what an agent is. */
export function asVisitor(caller: Caller, saysSo: boolean): Caller {
  return caller.kind === "operator" && saysSo ? { kind: "join" } : caller;
}

/** Refuses a visitor whatever is done by somebody, and a list that tells its reader who they are. */
export function checkVisit(caller: Caller, method: string, { isPersonal }: Definitions): void {
  if (caller.kind !== "join" || method.startsWith("notifications/")) return;
  if (MCP_LOOKS.has(method) && !(method === "tools/list" && isPersonal)) return;
  throw new HubError(
    "FORBIDDEN",
    `${method || "This"} needs an agent's token, or the operator's; yours is the join token`,
  );
}
