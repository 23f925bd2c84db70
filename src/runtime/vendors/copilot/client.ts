import type { VendorClient } from "../client.js";

export const copilot = {
  vendor: "copilot",
  cli: "copilot",
  pattern: /^copilot/,
  namesakes: { tools: ["list_agents"], prefix: "huddle-" },
} as const satisfies VendorClient;
