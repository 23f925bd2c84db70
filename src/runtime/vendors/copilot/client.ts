import type { VendorClient } from "../client.js";

export const copilot = {
  vendor: "copilot",
  label: "GitHub Copilot",
  cli: "copilot",
  pattern: /^copilot/,
  // It has a tool of that name for agents of its own.
  namesakes: { tools: ["list_agents"], prefix: "huddle-" },
} as const satisfies VendorClient;
