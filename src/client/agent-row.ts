import type { AgentList, HubClient } from "./hub-client.js";

type AgentRow = AgentList["agents"][number];
type AgentView = Awaited<ReturnType<HubClient["showAgent"]>>;

/** One agent as the list has it: what is not there is left out of a row. */
export function toAgentRow({
  runtime,
  parent,
  role: _role,
  permissions: _permissions,
  tools: _tools,
  ...row
}: AgentView): AgentRow {
  return {
    ...row,
    ...(runtime === null ? {} : { runtime }),
    ...(parent === null ? {} : { parent }),
  };
}
