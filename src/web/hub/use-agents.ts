import { useQuery } from "@tanstack/react-query";
import { useShallow } from "zustand/react/shallow";
import type { ShownStatus } from "../parts/agent-status.js";
import { type AgentRow, findAgentId, useAgentStore } from "./agent-store.js";
import { useContact } from "./connection.js";
import { hub } from "./hub.js";

/* Who is there. Take the narrowest that does: a row renders when its own agent changes, and a list when somebody comes or goes. */

/** All of them, in the order in which they came. Renders at every change of any. */
export function useAgents(): readonly AgentRow[] {
  return useAgentStore(useShallow(({ ids, byId }) => ids.flatMap((id) => byId.get(id) ?? [])));
}

/** Their ids, in the order in which they came. Renders when somebody comes or goes. */
export function useAgentIds(): readonly string[] {
  return useAgentStore(({ ids }) => ids);
}

export function useAgentsReady(): boolean {
  return useAgentStore(({ kind }) => kind === "ready");
}

export function useAgentRow(id: string | undefined): AgentRow | undefined {
  return useAgentStore(({ byId }) => (id === undefined ? undefined : byId.get(id)));
}

/** The id behind an address, while that agent is here. */
export function useAgentId(nameOrId: string | undefined): string | undefined {
  return useAgentStore((agents) => (nameOrId === undefined ? undefined : findAgentId(agents, nameOrId)));
}

/** All that is known of one: role, permissions, tools, parent. By address or id. */
export function useAgent(nameOrId: string, { enabled = true } = {}) {
  const id = useAgentId(nameOrId) ?? nameOrId;
  return useQuery({
    queryKey: ["agent", id],
    queryFn: ({ signal }) => hub.showAgent(id, { signal }),
    enabled,
  });
}

/** How an agent is now, as it is shown: unknown when the hub was not heard of for a while. */
export function useShownStatus(row: AgentRow | undefined): ShownStatus {
  const contact = useContact();
  if (row === undefined || contact === "unknown") return "unknown";
  return shownStatusOf(row);
}

/** `paused` only says more than what it does when it does nothing. */
export function shownStatusOf(row: Pick<AgentRow, "state" | "paused">): ShownStatus {
  const isAtRest = row.state === "idle" || row.state === "dormant" || row.state === "listening";
  return row.paused === true && isAtRest ? "paused" : row.state;
}
