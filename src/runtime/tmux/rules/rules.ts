import { claudeRule } from "./claude.js";
import { codexRule } from "./codex.js";
import { droidRule } from "./droid.js";
import { geminiRule } from "./gemini.js";
import { opencodeRule } from "./opencode.js";
import { qwenRule } from "./qwen.js";
import type { CliName, ScreenRule } from "./rule.js";

export const screenRules: Readonly<Record<CliName, ScreenRule>> = {
  claude: claudeRule,
  codex: codexRule,
  gemini: geminiRule,
  qwen: qwenRule,
  droid: droidRule,
  opencode: opencodeRule,
};
