import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import type { AdoptedPane, PermissionPolicy } from "../../model/hosting.js";
import type { HubDecider } from "../context.js";
import { checkHostedRoom } from "../rules/agent-shares.js";
import { presentAgent } from "../rules/present-agent.js";

type AdoptPane = {
  by: AgentId;
  /** Whose bridge runs below the pane. */
  agent: AgentId;
  pane: AdoptedPane;
  backend: string;
  permissions: PermissionPolicy;
};

/**
 * An agent that a person started is reached in its pane as well. It stays who it is: its name, its inbox, and the token by
 * which its bridge calls. The supervisor sees the event and takes up the pane.
 */
export const adoptPane: HubDecider<AdoptPane, void> = (
  { by, pane, backend, permissions, ...who },
  context,
) => {
  const agent = presentAgent(context.views, who.agent);
  if (agent.runtime !== null) {
    throw new HubError(
      "TARGET_INVALID",
      `"${agent.name}" has a pane already; huddle kill ${agent.name} lets go of it`,
      { pane: pane.target, agent: agent.name },
    );
  }
  checkHostedRoom(by, context);
  const adopted = { ...pane, bridged: true as const };
  return decided(
    [newEvent("PaneAdopted", agent.id, { agent: agent.id, adopted, backend, permissions })],
    undefined,
  );
};
