import type { VendorClient } from "../client.js";

export const qwen = {
  vendor: "qwen",
  label: "Qwen Code",
  cli: "qwen",
  pattern: /^qwen/,
  patientAs: "qwen-cli-mcp-client",
  namesakes: { tools: ["list_agents", "send_message"], prefix: "mcp__huddle__" },
} as const satisfies VendorClient;
