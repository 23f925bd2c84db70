import type { Vendor } from "../backend.js";
import { claudeCode } from "./forms/claude-code.js";
import { codex } from "./forms/codex.js";
import { droid } from "./forms/droid.js";
import { gemini } from "./forms/gemini.js";
import { opencode } from "./forms/opencode.js";
import { qwen } from "./forms/qwen.js";
import type { HeadlessForm } from "./headless-form.js";

export const headlessForms: Readonly<Record<Vendor, HeadlessForm>> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  qwen,
  droid,
  opencode,
};
