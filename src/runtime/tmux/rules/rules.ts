import { claudeRule } from "../../vendors/claude-code/screen.js";
import { codexRule } from "../../vendors/codex/screen.js";
import { droidRule } from "../../vendors/droid/screen.js";
import { geminiRule } from "../../vendors/gemini/screen.js";
import { opencodeRule } from "../../vendors/opencode/screen.js";
import { qwenRule } from "../../vendors/qwen/screen.js";
import type { CliName, ScreenRule } from "../screen-rule.js";

export const screenRules: Readonly<Record<CliName, ScreenRule>> = {
  claude: claudeRule,
  codex: codexRule,
  gemini: geminiRule,
  qwen: qwenRule,
  droid: droidRule,
  opencode: opencodeRule,
};
