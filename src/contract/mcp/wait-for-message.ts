import { z } from "zod";
import { reads, type ToolContract } from "./tool.js";

const filter = {
  from: z.string().min(1).max(200).optional().describe("only from this agent"),
  request_id: z.string().min(1).max(200).optional().describe("only what answers this request"),
  timeout_seconds: z.number().positive().optional().describe("default 30, at most {inbox.wait_max}"),
};

export const waitForMessage = {
  name: "wait_for_message",
  description:
    "Wait until a message comes and return it. For when you cannot go on without an answer; else go on and check later.",
  input: z.strictObject({ ...filter, ack: z.string().max(100_000).optional() }),
  annotations: reads,
} as const satisfies ToolContract;

export const waitForMessageOfAgents = {
  name: "wait_for_message",
  description:
    "Block until a message arrives or timeout. Used when you have posted a request and are waiting for a response.",
  input: z.strictObject(filter),
  annotations: reads,
} as const satisfies ToolContract;
