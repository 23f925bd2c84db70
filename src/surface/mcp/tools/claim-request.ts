import * as contract from "../../../contract/mcp/claim-request.js";
import { nameIn } from "../../../model/address.js";
import { quoteBlock } from "../../../model/others-words.js";
import { claimRequest as claimIt } from "../../claim-request.js";
import { viewRequest } from "../../shown/request-view.js";
import { defineTool } from "../tool.js";

export const claimRequest = defineTool(contract.claimRequest, {
  onError: { claimed: false },
  async run({ request_id }, { ports, me, caller }) {
    const { request, ...claim } = await claimIt(ports, me, request_id);
    const { description, context, ...view } = viewRequest(request, caller, ports);
    return {
      ...claim,
      request: {
        ...view,
        description: quoteBlock(description, { sender: nameIn(view.from) }),
        ...(context === undefined ? {} : { context: quoteBlock(context) }),
      },
    };
  },
});
