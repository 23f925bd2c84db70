import type { CliContext } from "./context.js";
import { usageError } from "./usage-error.js";

const MAX_BYTES = 64 * 1024;

/** A line that another command printed: as an argument, or from a pipe. It is no secret, so either will do. */
export async function readPasted(
  { io }: CliContext,
  given: string | undefined,
  printedBy: string,
): Promise<string> {
  if (given !== undefined && given !== "-") return given;
  if (io.stdin.isTTY === true) throw usageError(`Paste the line that ${printedBy} printed, or pipe it in`);
  let text = "";
  for await (const chunk of io.stdin) {
    text += Buffer.from(chunk).toString("utf8");
    if (text.length > MAX_BYTES) throw usageError("That is too long to be such a line");
  }
  if (text.trim() !== "") return text;
  throw usageError(`Nothing came through the pipe. It should be the line that ${printedBy} prints`);
}
