import { connection as claude } from "./claude-code/connection.js";
import { connection as codex } from "./codex/connection.js";
import type { Connection } from "./connection.js";
import { connection as copilot } from "./copilot/connection.js";
import { connection as droid } from "./droid/connection.js";
import { connection as gemini } from "./gemini/connection.js";
import { connection as opencode } from "./opencode/connection.js";
import { connection as qwen } from "./qwen/connection.js";
import { connection as vsCode } from "./vs-code/connection.js";

/** What `huddle connect` can connect, in the order in which it shows them. */
export const connections: readonly Connection[] = [
  claude,
  codex,
  gemini,
  qwen,
  droid,
  opencode,
  copilot,
  vsCode,
];
