import { z } from "zod";
import { reads, sets, type ToolContract } from "./tool.js";

const name = z.string().max(128);

export const shareMemory = {
  name: "share_memory",
  description: "Store a text under a name, as a new version. All agents here can read it.",
  input: z.strictObject({
    name: name.describe("such as notes/login.md"),
    content: z.string().min(1),
    to: z.array(z.string()).optional().describe("agents to tell"),
  }),
  annotations: sets,
} as const satisfies ToolContract;

export const getMemory = {
  name: "get_memory",
  description: "Read what was shared under a name.",
  input: z.strictObject({ name, version: z.number().int().min(1).optional() }),
  annotations: reads,
} as const satisfies ToolContract;
