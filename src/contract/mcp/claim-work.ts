import { z } from "zod";
import { sets, type ToolContract } from "./tool.js";

const task = z
  .string()
  .max(500)
  .regex(/^\S(?:[^\r\n]*\S)?$/, "one line, without spaces around it")
  .describe("one line, in the words the others use");

export const claimWork = {
  name: "claim_work",
  description:
    "Say that you are on a task before you begin, so that nobody does it twice. ok:false: `owner` has it. Claim again to renew.",
  input: z.strictObject({
    task,
    lease_seconds: z.number().positive().optional().describe("default {work.lease}"),
  }),
  annotations: sets,
} as const satisfies ToolContract;

export const releaseWork = {
  name: "release_work",
  description: "Say that you are no longer on a task.",
  input: z.strictObject({ task }),
  annotations: sets,
} as const satisfies ToolContract;
