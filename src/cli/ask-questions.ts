import type { CliContext } from "./context.js";

/** Asks on the terminal, several things in turn. */
export type Questions = {
  ask(question: string, usual: "yes" | "no"): Promise<boolean>;
  /** Lets go of the terminal, so that the program can end. */
  close(): Promise<void>;
};

export function openQuestions({ io }: CliContext): Questions {
  const input = io.stdin[Symbol.asyncIterator]();
  let typed = "";
  let isOver = false;

  async function readLine(): Promise<string> {
    while (!typed.includes("\n") && !isOver) {
      const next = await input.next();
      if (next.done === true) isOver = true;
      else typed += Buffer.from(next.value).toString("utf8");
    }
    const [line = "", ...rest] = typed.split("\n");
    typed = rest.join("\n");
    return line.trim();
  }

  return {
    async ask(question, usual) {
      io.stderr.write(`${question} ${usual === "yes" ? "[Y/n]" : "[y/N]"} `);
      const answer = await readLine();
      // A terminal that was closed has not answered.
      if (answer === "") return usual === "yes" && !isOver;
      return /^y(?:es)?$/i.test(answer);
    },
    async close() {
      await input.return?.();
    },
  };
}
