import type { PermissionPolicy } from "../backend.js";

/** Of gemini, and of qwen, which began as a copy of it. */
export function approvalMode(policy: PermissionPolicy): string {
  if (policy === "allow-all") return "yolo";
  return policy === "deny" ? "plan" : "default";
}
