import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";

type OpenWork = {
  code: "TASKS_FULL" | "WORKFLOWS_FULL";
  what: string;
  /** How many are open, and how many of them are of whoever asks for one more. */
  all: () => number;
  of: () => number;
  cap: number;
  agentCap: number;
};

/** Refuses more than is to be open at once. What agents have open keeps no agent from its own share, and never the person. */
export function checkOpenWork(by: AgentId, { code, what, all, of, cap, agentCap }: OpenWork): void {
  if (by === HUMAN_ID) {
    if (all() < cap || of() < cap) return;
    throw new HubError(code, `There are ${cap} ${what}; wait until some have ended`, { cap });
  }
  if (all() >= cap) throw new HubError(code, `There are ${cap} ${what}; wait until some have ended`, { cap });
  if (of() < agentCap) return;
  throw new HubError(
    code,
    `You have ${agentCap} ${what}, which is the most for one agent; wait until some have ended, or cancel some`,
    { cap: agentCap },
  );
}
