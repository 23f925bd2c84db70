import { type ConnectionPlan, filesOf } from "../../connect/plan-connection.js";
import { isChange } from "../../connect/plan-file.js";
import { diffLines } from "../../connect/text-diff.js";
import type { CliContext } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { homePath } from "./config-world.js";

/** What would change, file by file. With `--json` the result says it. */
export function showPlans(cli: CliContext, plans: readonly ConnectionPlan[]): void {
  if (cli.output.json) return;
  for (const file of plans.flatMap(filesOf).filter(isChange)) {
    const isNew = file.now.text === undefined ? " (new)" : "";
    showDiff(cli, `${homePath(file.file, cli)}${isNew}`, file.now.text ?? "", file.after);
  }
}

export function showDiff({ io, output }: CliContext, title: string, before: string, after: string): void {
  const lines = maskedDiff(before, after).map((line) => {
    const paint = line.startsWith("+")
      ? output.colors.green
      : line.startsWith("-")
        ? output.colors.red
        : output.colors.dim;
    return `    ${paint(line)}\n`;
  });
  io.stdout.write(`  ${output.colors.bold(title)}\n${lines.join("")}`);
}

/** Files of CLIs hold keys, and others may look at the screen. */
const SECRET = /(["']?[\w-]*(?:key|token|secret|password|auth)[\w-]*["']?\s*[:=]\s*)(?:"[^"]*"|'[^']*')/gi;

export function maskedDiff(before: string, after: string): string[] {
  return diffLines(before, after).map((line) => escapeLine(line.replace(SECRET, '$1"…"')));
}
