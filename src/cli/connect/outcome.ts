import type { FilePlan } from "../../connect/plan-file.js";
import { isChange } from "../../connect/plan-file.js";
import type { HubError } from "../../model/errors.js";
import type { Connection } from "../../runtime/vendors/connection.js";
import type { CliContext } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { EXIT_FAILED, EXIT_OK } from "../exit-codes.js";
import { homePath } from "./config-world.js";
import { maskedDiff } from "./show-plans.js";

/**
 * What became of one CLI. `missing`: it was asked for by name, and is not installed. `silent`: it is written, but the server that
 * its file names does not answer.
 */
export type Outcome = {
  connection: Connection;
  state: "connected" | "unchanged" | "planned" | "silent" | "failed" | "not installed" | "missing";
  files: readonly FilePlan[];
  /** How long the server took to tell its tools. */
  ms?: number;
  error?: HubError | undefined;
};

const bad: ReadonlySet<Outcome["state"]> = new Set(["failed", "silent", "missing"]);

export function reportOutcomes(cli: CliContext, outcomes: readonly Outcome[]): number {
  const { output } = cli;
  const states = new Set(outcomes.map(({ state }) => state));
  output.result({ clis: outcomes.map((outcome) => describe(outcome)) }, () =>
    [...outcomes.map((outcome) => render(cli, outcome)), ...advice(states)].join("\n"),
  );
  return [...states].some((state) => bad.has(state)) ? EXIT_FAILED : EXIT_OK;
}

function describe({ connection, state, files, ms, error }: Outcome) {
  return {
    cli: connection.cli,
    state: state === "missing" ? "not installed" : state,
    files: files.map((file) => ({
      file: file.file,
      what: file.what,
      changes: isChange(file),
      diff: maskedDiff(file.now.text ?? "", file.after),
    })),
    handshake_ms: ms ?? null,
    error: error?.message ?? null,
  };
}

function render(cli: CliContext, outcome: Outcome): string {
  const { connection, state, error } = outcome;
  const { colors } = cli.output;
  const name = colors.bold(connection.cli);
  const files = outcome.files.map(({ file, what }) => `${homePath(file, cli)} (${what})`).join(", ");
  const took = outcome.ms === undefined ? "" : colors.dim(` · answers in ${outcome.ms} ms`);
  switch (state) {
    case "connected":
      return `${colors.green("✓")} ${name}: ${files}${took}`;
    case "unchanged":
      return `${colors.green("✓")} ${name}: connected already, nothing to change${took}`;
    case "planned":
      return `${colors.yellow("·")} ${name}: would change ${files}`;
    case "silent":
      return `${colors.red("✗")} ${name}: ${files}, but the server does not answer: ${escapeLine(error?.message ?? "")}\n  See: huddle doctor`;
    case "failed":
      return [
        `${colors.red("✗")} ${name}: ${escapeLine(error?.message ?? "")}`,
        ...(typeof error?.details["hint"] === "string" ? [`  ${escapeLine(error.details["hint"])}`] : []),
      ].join("\n");
    case "missing":
      return `${colors.red("✗")} ${name}: not installed. Install it: ${connection.install}`;
    case "not installed":
      return colors.dim(`– ${connection.cli}: not installed`);
  }
}

function advice(states: ReadonlySet<Outcome["state"]>): string[] {
  if (states.has("connected"))
    return ["Restart them; huddle agents then shows them.", "  Take it back: huddle connect --undo"];
  if (states.has("planned")) return ["Nothing was written."];
  if (states.has("unchanged")) return ["Nothing was changed."];
  if (states.size === 1 && states.has("not installed"))
    return [
      "No agent CLI is on your PATH. Install one, or see what huddle connect would write: huddle connect --print",
    ];
  return [];
}
