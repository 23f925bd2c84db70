import * as contract from "../../../contract/mcp/set-name.js";
import { HubError } from "../../../model/errors.js";
import { nameOfLabel } from "../../../model/label.js";
import { quoteBlock } from "../../../model/others-words.js";
import { isOnScreen } from "../../../model/runtime-traits.js";
import { defineTool, type ToolCall } from "../tool.js";

export const setName = defineTool(contract.setName, {
  onError: { success: false },
  run: ({ name }, call) => rename({ name }, call),
});

/** As the tabs' document has it. */
export const setTabName = defineTool(contract.setTabName, {
  onError: { success: false },
  async run({ name: label }, call) {
    const inPane = call.caller.kind === "agent" && isOnScreen(call.caller.agent);
    const name = nameOfLabel(label, { inPane });
    // Where it says no more than the name, there is no label.
    const isName = label === name;
    const answer = await rename({ name, label: isName ? null : label }, call);
    return { ...answer, ...(isName ? {} : { label: quoteBlock(label) }) };
  },
});

type Rename = { name: string | undefined; label?: string | null };

async function rename(wanted: Rename, { ports, caller }: ToolCall) {
  if (caller.kind !== "agent") throw new HubError("FORBIDDEN", "The person is `user` and cannot be renamed");
  const agent = caller.agent.id;
  const { previousName, newName } = await ports.execute("updateAgent", { agent, ...wanted });
  return { success: true, previous_name: previousName, new_name: newName };
}
