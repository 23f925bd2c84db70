import { z } from "zod";
import { defineTool, sets } from "../tool.js";

const task = z
  .string()
  .max(500)
  .regex(/^\S(?:[^\r\n]*\S)?$/, "one line, without spaces around it")
  .describe("one line, in the words the others use");

export const claimWork = defineTool({
  name: "claim_work",
  description:
    "Say that you are on a task, before you begin, so that nobody does it twice. ok:false means `owner` has it. Claim again to renew the lease.",
  input: z.strictObject({
    task,
    lease_seconds: z.number().positive().optional().describe("default 1800"),
  }),
  annotations: sets,
  run: ({ task: wanted, lease_seconds }, { ports, me }) =>
    ports.execute("claimWork", {
      agent: me,
      task: wanted,
      action: "claim",
      leaseMs: lease_seconds === undefined ? undefined : Math.ceil(lease_seconds * 1000),
    }),
});

export const releaseWork = defineTool({
  name: "release_work",
  description: "Say that you are no longer on a task.",
  input: z.strictObject({ task }),
  annotations: sets,
  run: ({ task: wanted }, { ports, me }) =>
    ports.execute("claimWork", { agent: me, task: wanted, action: "release" }),
});
