import type { VendorName } from "../../runtime/vendors/clients.js";
import { claudeCode } from "./claude-code.js";
import { codex } from "./codex.js";
import { copilot } from "./copilot.js";
import { droid } from "./droid.js";
import { gemini } from "./gemini.js";
import type { OfflineClient } from "./offline-client.js";
import { opencode } from "./opencode.js";
import { qwen } from "./qwen.js";

export const offlineClients: Readonly<Record<VendorName, OfflineClient>> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  qwen,
  droid,
  opencode,
  copilot,
};
