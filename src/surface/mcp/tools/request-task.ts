import { z } from "zod";
import { adds, defineTool } from "../tool.js";

export const requestTask = defineTool({
  name: "request_task",
  description:
    "Ask all agents for help; one of them can claim it. Then wait_for_message with the request_id, or go on: the answer comes as a message.",
  input: z.strictObject({
    description: z.string().min(1).describe("what needs doing"),
    context: z.string().optional().describe("findings so far"),
    timeout_seconds: z.number().positive().optional().describe("how long it waits to be claimed, default 30"),
  }),
  annotations: adds,
  async run({ description, context, timeout_seconds }, { ports, me, id }) {
    const { requestId, status } = await ports.execute("openRequest", {
      from: me,
      description,
      context,
      timeoutMs: timeout_seconds === undefined ? undefined : Math.ceil(timeout_seconds * 1000),
      id,
    });
    return { request_id: requestId, status };
  },
});
