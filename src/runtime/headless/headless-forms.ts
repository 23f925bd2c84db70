import type { Vendor } from "../backend.js";
import { claudeCode } from "../vendors/claude-code/headless.js";
import { codex } from "../vendors/codex/headless.js";
import { droid } from "../vendors/droid/headless.js";
import { gemini } from "../vendors/gemini/headless.js";
import { opencode } from "../vendors/opencode/headless.js";
import { qwen } from "../vendors/qwen/headless.js";
import type { HeadlessForm } from "./headless-form.js";

export const headlessForms: Readonly<Record<Vendor, HeadlessForm>> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  qwen,
  droid,
  opencode,
};
