import * as contract from "../../../contract/mcp/set-name.js";
import { HubError } from "../../../model/errors.js";
import { defineTool, type ToolCall } from "../tool.js";

export const setName = defineTool(contract.setName, {
  onError: { success: false },
  run: ({ name }, call) => rename(name, call),
});

/** As the tabs' document has it. */
export const setTabName = defineTool(contract.setTabName, {
  onError: { success: false },
  run: ({ name }, call) => rename(name, call),
});

async function rename(name: string, { ports, caller }: ToolCall) {
  if (caller.kind !== "agent") throw new HubError("FORBIDDEN", "The person is `user` and cannot be renamed");
  const { previousName, newName } = await ports.execute("updateAgent", { agent: caller.agent.id, name });
  return { success: true, previous_name: previousName, new_name: newName };
}
