import type { VendorClient } from "../client.js";

export const copilot = {
  vendor: "copilot",
  cli: "copilot",
  pattern: /^copilot/,
} as const satisfies VendorClient;
