import * as contract from "../../../contract/mcp/spawn-agent.js";
import { addressNow } from "../../../hub/rules/address-of.js";
import { repeatableId } from "../repeatable-id.js";
import { defineTool } from "../tool.js";

export const spawnAgent = defineTool(contract.spawnAgent, {
  onError: { spawned: false },
  async run(input, { ports, me, id }) {
    const agent = await ports.hosting.spawn({
      ...input,
      by: me,
      id: repeatableId(id, "spawn"),
      messageId: id,
    });
    return {
      spawned: true,
      name: addressNow(ports.views, agent.id, agent.name, me),
      id: agent.id,
      project: agent.project,
      state: agent.state,
    };
  },
});
