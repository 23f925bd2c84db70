import type { ExecuteCommand } from "../hub/deciders.js";
import type { AgentId } from "../model/agent.js";
import { SAYS_SO } from "../model/typed-message.js";
import type { Roster } from "../views/roster.js";

type SaidPorts = { roster: Roster; execute: ExecuteCommand; onError: (error: unknown) => void };

/** An agent that said it was busy is no longer so when its hooks tell of the end of its turn. */
export function endSaidTurn(agent: AgentId, { roster, execute, onError }: SaidPorts): void {
  const known = roster.byId(agent);
  if (known?.status !== "busy" || known.statusEvidence !== SAYS_SO) return;
  execute("recordPresence", { agent, status: "idle", evidence: "its hooks tell of the end of a turn" }).catch(
    onError,
  );
}
