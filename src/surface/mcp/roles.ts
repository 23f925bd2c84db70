import type { Caller } from "../caller/auth.js";

/** The person counts as one: what an orchestrator may do, they may. */
export function isOrchestrator(caller: Caller): boolean {
  return caller.kind === "operator" || (caller.kind === "agent" && caller.agent.role === "orchestrator");
}
