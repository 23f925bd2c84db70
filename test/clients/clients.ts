import { claude } from "./claude.js";
import type { Client } from "./client.js";
import { codex } from "./codex.js";
import { copilot } from "./copilot.js";
import { droid } from "./droid.js";
import { gemini } from "./gemini.js";
import { opencode } from "./opencode.js";
import { qwen } from "./qwen.js";

export const clients: readonly Client[] = [claude, codex, gemini, qwen, droid, opencode, copilot];
