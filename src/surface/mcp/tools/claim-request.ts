import { z } from "zod";
import { safeWords } from "../../../model/quote-lookalikes.js";
import { viewRequest } from "../../shown/request-view.js";
import { defineTool, sets } from "../tool.js";

export const claimRequest = defineTool({
  name: "claim_request",
  description:
    "Take on an open request of another agent; the first to claim has it. Answer with send_message to whoever asked, reply_to the request_id.",
  input: z.strictObject({ request_id: z.string().min(1).max(200) }),
  annotations: sets,
  onError: { claimed: false },
  async run({ request_id }, { ports, me, caller }) {
    const { claimed, request } = await ports.execute("claimRequest", { agent: me, request: request_id });
    const { description, context, ...view } = viewRequest(request, caller, ports);
    return {
      claimed,
      request: {
        ...view,
        description: safeWords(description, view.from),
        ...(context === undefined ? {} : { context: safeWords(context, view.from) }),
      },
    };
  },
});
