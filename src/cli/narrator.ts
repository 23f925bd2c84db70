import type { Narrator } from "../demo/stage.js";
import type { CliContext } from "./context.js";

/** Tells the demo on the terminal; a program that wants one document gets nothing of it. */
export function createNarrator(
  { io, output: { json, colors } }: CliContext,
  scenes = 0,
): Narrator & { say(text: string): void } {
  let number = 0;
  const say = (text: string) => {
    if (!json) io.stdout.write(`${text}\n`);
  };
  return {
    say,
    scene: (title, text) => say(`\n${colors.bold(`${++number}/${scenes} ${title}`)}\n  ${colors.dim(text)}`),
    line: (text) => say(`    ${text}`),
    seen: (text) => say(`  ${colors.green("✓")} ${text}`),
  };
}
