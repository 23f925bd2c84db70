import type { CliContext } from "./context.js";
import { readText } from "./read-text.js";
import { usageError } from "./usage-error.js";

/** The text of a message: as given, or from the pipe when it is `-` or missing. */
export async function messageText(
  { io }: CliContext,
  given: string | undefined,
  usage: string,
): Promise<string> {
  const piped = given === "-" || (given === undefined && io.stdin.isTTY !== true);
  const text = piped ? await readText(io.stdin) : given;
  if (text === undefined || text === "") {
    throw usageError(
      "There is nothing to send",
      `Give the text as an argument, or pipe it: echo hi | ${usage}`,
    );
  }
  return text;
}
