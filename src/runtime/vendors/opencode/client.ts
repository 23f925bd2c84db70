import type { VendorClient } from "../client.js";

export const opencode = {
  vendor: "opencode",
  label: "OpenCode",
  cli: "opencode",
  pattern: /^opencode/,
} as const satisfies VendorClient;
