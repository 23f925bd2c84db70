import { HubError } from "../model/errors.js";
import type { CliContext } from "./context.js";
import { usageError } from "./usage-error.js";

/** Far above any secret: only there so that an endless pipe ends. */
const MAX_BYTES = 64 * 1024;

const ENTER = /[\r\n]/;
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

/** A secret from a pipe, or typed at a prompt that does not show it. Never from the arguments: those everybody can read. */
export async function readSecret({ io }: CliContext, prompt: string): Promise<string> {
  const { stdin, stderr } = io;
  const isTyped = stdin.isTTY === true;
  if (isTyped) stderr.write(prompt);
  if (isTyped) stdin.setRawMode?.(true);
  try {
    const secret = await readLine(stdin, isTyped);
    if (secret === "")
      throw usageError("There is no secret", "Type or paste it, pipe it, or let --generate make one");
    return secret;
  } finally {
    if (isTyped) stdin.setRawMode?.(false);
    if (isTyped) stderr.write("\n");
  }
}

async function readLine(input: CliContext["io"]["stdin"], isTyped: boolean): Promise<string> {
  let text = "";
  for await (const chunk of input) {
    text += Buffer.from(chunk).toString("utf8");
    if (text.length > MAX_BYTES) throw new HubError("SECRET_UNUSABLE", "That is too long for a secret");
    if (!isTyped) continue;
    if (text.includes(CTRL_C)) throw usageError("Nothing was stored: you pressed Ctrl-C");
    if (ENTER.test(text) || text.includes(CTRL_D)) break;
  }
  return isTyped ? rubOut(text.replaceAll(CTRL_D, "\n").split(ENTER)[0] ?? "") : text.replace(/\r?\n$/, "");
}

/** A terminal in raw mode leaves it to us what Backspace does. */
function rubOut(typed: string): string {
  const kept: string[] = [];
  for (const character of typed) {
    if (character === "\u007f" || character === "\b") kept.pop();
    else kept.push(character);
  }
  return kept.join("");
}
