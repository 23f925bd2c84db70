import { z } from "zod";
import { toolsetNames } from "../../model/toolset.js";
import type { RouteContract } from "./route.js";

const mcpQuery = z.strictObject({
  tools: z.enum(toolsetNames).default("huddle").describe("The set of tools (18.2)"),
});

export const mcpRoutes = {
  call: {
    method: "POST",
    path: "/mcp",
    summary:
      "The Model Context Protocol over Streamable HTTP: one JSON-RPC message in, its answer out. The join token can only look at what there is",
    access: "any",
    query: mcpQuery,
    status: 200,
  },
} as const satisfies Record<string, RouteContract>;
