import type { CliContext } from "./context.js";

/** Whether anybody can be asked: what comes from a pipe is no answer. */
export function canAsk({ io }: CliContext): boolean {
  return io.stdin.isTTY === true;
}

/** Asks on the terminal, and takes nothing but a yes for one. */
export async function askYes({ io }: CliContext, question: string): Promise<boolean> {
  io.stderr.write(`${question} [y/N] `);
  let answer = "";
  for await (const chunk of io.stdin) {
    answer += Buffer.from(chunk).toString("utf8");
    if (answer.includes("\n")) break;
  }
  return /^y(?:es)?$/i.test(answer.split("\n")[0]?.trim() ?? "");
}
