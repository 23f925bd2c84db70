import * as contract from "../../../contract/mcp/get-obligations.js";
import { listObligations } from "../../shown/obligation-view.js";
import { defineTool } from "../tool.js";

export const getObligations = defineTool(contract.getObligations, {
  run: async ({ agent }, { ports, caller }) => ({
    obligations: await listObligations(ports, caller, agent),
  }),
});
