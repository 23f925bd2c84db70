import * as contract from "../../../contract/mcp/request-task.js";
import { defineTool } from "../tool.js";

export const requestTask = defineTool(contract.requestTask, {
  async run({ description, context, timeout_seconds, hubs }, { ports, me, id }) {
    const { requestId, status } = await ports.execute("openRequest", {
      from: me,
      description,
      context,
      timeoutMs: timeout_seconds === undefined ? undefined : Math.ceil(timeout_seconds * 1000),
      hubs,
      id,
    });
    return { request_id: requestId, status };
  },
});
