import { z } from "zod";
import { sets, type ToolContract } from "./tool.js";

export const claimRequest = {
  name: "claim_request",
  description:
    "Take on an open request of another agent; the first to claim has it. Answer with send_message to whoever asked, reply_to the request_id.",
  input: z.strictObject({ request_id: z.string().min(1).max(200) }),
  annotations: sets,
} as const satisfies ToolContract;
