import { z } from "zod";
import { MEMORY_BYTES, MEMORY_NAME, MEMORY_NAME_MOST } from "../../model/memory.js";
import type { RouteContract } from "./route.js";

const memoryName = z
  .string()
  .max(MEMORY_NAME_MOST)
  .regex(
    MEMORY_NAME,
    "use A-Z a-z 0-9 . _ - in parts with / between them, each of which begins with a letter or digit, such as notes/login.md",
  );

const told = z.array(z.string().min(1).max(200)).max(50);

const versionView = z.object({
  version: z.number(),
  by: z.string().describe("Who wrote it, by the name of then"),
  at: z.string(),
  bytes: z.number(),
});

const memoryView = versionView.extend({ name: z.string() });

export const memoryRoutes = {
  share: {
    method: "POST",
    path: "/api/memory",
    summary:
      "Write the next version of a memory, and tell some agents of it. Everyone on the hub can read it",
    access: "member",
    body: z.strictObject({
      name: memoryName.describe("See 30"),
      content: z.string().min(1).max(MEMORY_BYTES).describe("At most 256 KiB of UTF-8"),
      to: told.optional().describe("Who is told of it, by a message of the type `memory`; default: nobody"),
    }),
    status: 201,
    response: memoryView.omit({ by: true, at: true }).extend({
      is_new: z.boolean().describe("False where the newest version says the same already"),
      told: z.array(z.string()),
    }),
    errors: [
      "MEMORY_FULL",
      "AGENT_NOT_FOUND",
      "AGENT_GONE",
      "NAME_AMBIGUOUS",
      "SELF_SEND",
      "INBOX_FULL",
      "RATE_LIMITED",
      "CONVERSATION_FROZEN",
    ],
  },
  list: {
    method: "GET",
    path: "/api/memory",
    summary: "Which memories there are, in order of their names, in pages: the newest version of each",
    access: "member",
    query: z.strictObject({
      limit: z.number().int().min(1).max(1000).default(50),
      cursor: z.string().min(1).max(MEMORY_NAME_MOST).optional().describe("`next` of the page before"),
    }),
    status: 200,
    response: z.object({ memories: z.array(memoryView), next: z.string().nullable() }),
  },
  show: {
    method: "GET",
    path: "/api/memory/:name",
    summary: "A memory, with who wrote which of the versions that are kept. A `/` in the name is written %2F",
    access: "member",
    query: z.strictObject({
      version: z.number().int().min(1).optional().describe("Default: the newest"),
    }),
    status: 200,
    response: memoryView.extend({ content: z.string(), versions: z.array(versionView) }),
    errors: ["MEMORY_NOT_FOUND"],
  },
} as const satisfies Record<string, RouteContract>;
