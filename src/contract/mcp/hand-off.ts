import { z } from "zod";
import { adds, type ToolContract } from "./tool.js";

export const handOff = {
  name: "hand_off",
  description:
    "Hand your task over to another agent, with what you claimed, what you owe and your unread mail.",
  input: z.strictObject({
    to: z.string(),
    task: z.string().describe("one line"),
    summary: z.string().describe("how far it is, what is left"),
    files: z.array(z.string()).optional(),
    forward: z.boolean().optional().describe("send my mail there too"),
  }),
  annotations: adds,
} as const satisfies ToolContract;
