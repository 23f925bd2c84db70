import type { VendorClient } from "../client.js";

export const qwen = {
  vendor: "qwen",
  cli: "qwen",
  pattern: /^qwen/,
  patientAs: "qwen-cli-mcp-client",
} as const satisfies VendorClient;
