import type { VendorClient } from "../client.js";

export const copilot = {
  vendor: "copilot",
  cli: "copilot",
  pattern: /^(?:github-)?copilot/i,
} as const satisfies VendorClient;
