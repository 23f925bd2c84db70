import { isUtf8 } from "node:buffer";
import { HubError } from "../model/errors.js";
import type { TextInput } from "./cli-io.js";
import type { CliContext } from "./context.js";
import { usageError } from "./usage-error.js";

/** The text of a message: the words as given, or from the pipe when they are `-` or missing. */
export async function messageText(
  { io }: CliContext,
  given: readonly string[],
  usage: string,
): Promise<string> {
  const words = given.join(" ");
  const piped = words === "-" || (given.length === 0 && io.stdin.isTTY !== true);
  const text = piped ? await readText(io.stdin) : words;
  if (text === "") {
    throw usageError(
      "There is nothing to send",
      `Give the text as an argument, or pipe it: echo hi | ${usage}`,
    );
  }
  return text;
}

/** Far above any hub's limit: only there so that an endless pipe ends. */
const MAX_BYTES = 64 * 1024 * 1024;

/** All of a pipe as text, without the line break that ends it. */
async function readText(input: TextInput): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BYTES)
      throw new HubError("BODY_TOO_LARGE", "What comes from the pipe is too long for a message");
    chunks.push(bytes);
  }
  const whole = Buffer.concat(chunks);
  if (!isUtf8(whole)) throw usageError("What comes from the pipe is not UTF-8 text");
  return whole.toString("utf8").replace(/\r?\n$/, "");
}
