import { openConnectionsFile } from "../../connect/connections-file.js";
import { applyUndo, planUndo, type UndoState } from "../../connect/undo.js";
import { HubError } from "../../model/errors.js";
import type { CliContext } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { homePath } from "./config-world.js";
import { showDiff } from "./show-plans.js";

/** `removed`: there was no such file before. `restored`: byte by byte as it was. `cleaned`: others changed it since; only Huddle's entries went. */
export type Undone = { cli: string; file: string; state: UndoState | "failed" | "planned"; error?: HubError };

/** Takes out what `huddle connect` wrote: for these CLIs, or all. */
export function undoConnections(
  cli: CliContext,
  clis: ReadonlySet<string> | undefined,
  dryRun: boolean,
): Undone[] {
  const state = openConnectionsFile(cli.paths.data);
  const records = state.list().filter((record) => clis === undefined || clis.has(record.cli));
  return records.map((record) => {
    const { cli: name, file } = record;
    try {
      const plan = planUndo(record);
      if (dryRun) {
        if (!cli.output.json) showDiff(cli, homePath(file, cli), plan.now.text ?? "", plan.after ?? "");
        return { cli: name, file, state: "planned" };
      }
      const done = applyUndo(plan, state);
      return { cli: name, file, state: done };
    } catch (error) {
      if (error instanceof HubError) return { cli: name, file, state: "failed", error };
      throw error;
    }
  });
}

export function renderUndone(cli: CliContext, { cli: name, file, state, error }: Undone): string {
  const { colors } = cli.output;
  const where = `${colors.bold(escapeLine(name))}: ${homePath(file, cli)}`;
  switch (state) {
    case "restored":
      return `${colors.green("✓")} ${where} is as it was`;
    case "cleaned":
      return `${colors.green("✓")} ${where} is without Huddle; what else changed there since was left`;
    case "removed":
      return `${colors.green("✓")} ${where} is removed: it was made for Huddle`;
    case "gone":
      return `${colors.dim("–")} ${where} is gone already`;
    case "planned":
      return `${colors.yellow("·")} ${where} would be freed of Huddle`;
    case "failed":
      return [
        `${colors.red("✗")} ${colors.bold(escapeLine(name))}: ${escapeLine(error?.message ?? "")}`,
        ...(typeof error?.details["hint"] === "string" ? [`  ${escapeLine(error.details["hint"])}`] : []),
      ].join("\n");
  }
}
