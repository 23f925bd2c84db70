import * as contract from "../../../contract/mcp/claim-work.js";
import { defineTool } from "../tool.js";

export const claimWork = defineTool(contract.claimWork, {
  run: ({ task: wanted, lease_seconds }, { ports, me }) =>
    ports.execute("claimWork", {
      agent: me,
      task: wanted,
      action: "claim",
      leaseMs: lease_seconds === undefined ? undefined : Math.ceil(lease_seconds * 1000),
    }),
});

export const releaseWork = defineTool(contract.releaseWork, {
  run: ({ task: wanted }, { ports, me }) =>
    ports.execute("claimWork", { agent: me, task: wanted, action: "release" }),
});
