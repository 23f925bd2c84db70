import { z } from "zod";
import { agent, number, text } from "./parts.js";

export const memoryEvents = {
  MemoryShared: z
    .object({
      memory: z.object({ name: text, version: number, by: agent, byName: text, bytes: number }),
      content: text,
      keep: number,
    })
    .describe("A new version of a memory (30); `keep`: as many of its versions are kept"),
} as const;
