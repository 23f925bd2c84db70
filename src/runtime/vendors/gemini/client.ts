import type { VendorClient } from "../client.js";

export const gemini = {
  vendor: "gemini",
  label: "Gemini CLI",
  cli: "gemini",
  pattern: /^gemini/,
  patientAs: "gemini-cli-mcp-client",
} as const satisfies VendorClient;
