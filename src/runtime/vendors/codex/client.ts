import type { VendorClient } from "../client.js";

export const codex = {
  vendor: "codex",
  label: "Codex",
  cli: "codex",
  pattern: /^codex/,
  patientAs: "codex-mcp-client",
  namesakes: { tools: ["spawn_agent"], prefix: "mcp__huddle__" },
} as const satisfies VendorClient;
