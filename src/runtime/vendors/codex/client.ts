import type { VendorClient } from "../client.js";

export const codex = {
  vendor: "codex",
  cli: "codex",
  pattern: /^codex/,
  patientAs: "codex-mcp-client",
} as const satisfies VendorClient;
