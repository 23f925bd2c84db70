import type { VendorClient } from "../client.js";

export const claudeCode = {
  vendor: "claude-code",
  label: "Claude Code",
  cli: "claude",
  pattern: /^claude/,
  // It moves a call to the background after 120 s.
  patientAs: "claude-code",
} as const satisfies VendorClient;
