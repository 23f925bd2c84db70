import type { z } from "zod";
import type { tmuxView } from "../../contract/http/agents.js";
import type { AgentId } from "../../model/agent.js";
import type { Caller } from "../caller/auth.js";
import type { HubPorts } from "../ports.js";

/**
 * Where an agent's pane is now, to spread into an answer: nothing while none is open. Names of sessions and numbers of panes
 * are for everybody; the server's socket, by which one attaches, is for the operator.
 */
export function viewTmux(
  agent: AgentId,
  caller: Caller,
  { hosting }: Pick<HubPorts, "hosting">,
): { tmux?: z.input<typeof tmuxView> } {
  const open = hosting.tmuxOf(agent);
  if (open === undefined) return {};
  const { session, pane, socket } = open;
  return { tmux: caller.kind === "operator" ? { session, pane, socket } : { session, pane } };
}
