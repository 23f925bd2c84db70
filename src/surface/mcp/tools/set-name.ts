import { z } from "zod";
import { HubError } from "../../../model/errors.js";
import { defineTool, sets, type ToolCall } from "../tool.js";

const input = z.strictObject({ name: z.string().min(1).max(200) });

export const setName = defineTool({
  name: "set_name",
  description: "Change the name under which others reach you. A taken name gets a number.",
  input,
  annotations: sets,
  onError: { success: false },
  run: ({ name }, call) => rename(name, call),
});

/** As the tabs' document has it. */
export const setTabName = defineTool({
  name: "set_tab_name",
  description:
    "Name your tab. Other agents see this name in list_agents and can target it with send_to_agent.",
  input,
  annotations: sets,
  onError: { success: false },
  run: ({ name }, call) => rename(name, call),
});

async function rename(name: string, { ports, caller }: ToolCall) {
  if (caller.kind !== "agent") throw new HubError("FORBIDDEN", "The person is `user` and cannot be renamed");
  const { previousName, newName } = await ports.execute("updateAgent", { agent: caller.agent.id, name });
  return { success: true, previous_name: previousName, new_name: newName };
}
