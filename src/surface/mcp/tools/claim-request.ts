import * as contract from "../../../contract/mcp/claim-request.js";
import { nameIn } from "../../../model/address.js";
import { quoteBlock } from "../../../model/others-words.js";
import { viewRequest } from "../../shown/request-view.js";
import { defineTool } from "../tool.js";

export const claimRequest = defineTool(contract.claimRequest, {
  onError: { claimed: false },
  async run({ request_id }, { ports, me, caller }) {
    const { claimed, request } = await ports.execute("claimRequest", { agent: me, request: request_id });
    const { description, context, ...view } = viewRequest(request, caller, ports);
    return {
      claimed,
      request: {
        ...view,
        description: quoteBlock(description, { sender: nameIn(view.from) }),
        ...(context === undefined ? {} : { context: quoteBlock(context) }),
      },
    };
  },
});
