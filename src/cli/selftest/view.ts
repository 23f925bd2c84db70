import { type Behaviour, behaviourNames, type Cell, signs } from "../../selftest/cell.js";
import { renderHead, renderRow } from "../../selftest/render-grid.js";
import type { RowPlan } from "../../selftest/row.js";
import type { Surveyed } from "../../selftest/survey.js";
import type { CliContext } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { shorten } from "../table.js";
import { createScreen, type Screen } from "../workflow/screen.js";

/*
 * The run as it goes. On a terminal the grid fills in place, one block of rows for each backend; elsewhere every cell that is done is a line
 * beside the result.
 */

export type SelftestView = {
  backend(found: Surveyed): void;
  cell(row: RowPlan, behaviour: Behaviour, cell: Cell | undefined): void;
};

/** `  headless  `: the longest, and room around it. */
export const GRID_LABEL = 12;

const WORKING = "…";

export function createView(
  cli: CliContext,
  wanted: { behaviours: ReadonlySet<Behaviour>; runtimes: readonly string[] },
): SelftestView {
  const { io, output } = cli;
  const names = shownBehaviours(wanted.behaviours);
  let screen: Screen | undefined;
  let title = "";
  const rows = new Map<string, Map<Behaviour, string>>();

  function draw() {
    const lines = [...rows].map(([runtime, cells]) =>
      renderRow(
        { label: `  ${runtime}`, signs: names.map((name) => cells.get(name) ?? " ") },
        names,
        GRID_LABEL,
        (sign) => paintSign(cli, sign),
      ),
    );
    screen?.draw([shorten(title, output.width ?? 80), ...lines]);
  }

  return {
    backend(found) {
      title = titleOf(found);
      rows.clear();
      for (const { runtime, program } of found.runtimes)
        if (program !== undefined && wanted.runtimes.includes(runtime)) rows.set(runtime, new Map());
      if (!isLive(cli)) return;
      if (screen === undefined) io.stdout.write(`${renderHead(names, GRID_LABEL)}\n`);
      screen = createScreen(io.stdout);
      draw();
    },
    cell({ backend, runtime }, behaviour, cell) {
      rows.get(runtime)?.set(behaviour, cell === undefined ? WORKING : signs[cell.kind]);
      if (isLive(cli)) draw();
      else if (cell !== undefined) output.note(`${backend} ${runtime}: ${behaviour} ${told(cell)}`);
    },
  };
}

/** Whether the grid is drawn while it fills. */
export function isLive({ output, globals }: CliContext): boolean {
  return output.width !== undefined && !output.json && !globals.quiet;
}

/** Whatever else is tried, it is started first. */
export function shownBehaviours(wanted: ReadonlySet<Behaviour>): Behaviour[] {
  return behaviourNames.filter((name) => name === "spawn" || wanted.has(name));
}

export function titleOf({ backend, version }: Surveyed): string {
  return escapeLine(`${backend.name} ${version ?? "(it tells no version)"}`);
}

export function paintSign({ output: { colors } }: CliContext, sign: string): string {
  if (sign === signs.works || sign === signs.retried) return colors.green(sign);
  if (sign === signs.fails) return colors.red(sign);
  return sign === signs.blocked ? colors.yellow(sign) : colors.dim(sign);
}

function told(cell: Cell): string {
  switch (cell.kind) {
    case "works":
      return `works (${seconds(cell.ms)})`;
    case "retried":
      return `works at a second try (${seconds(cell.ms)}); the first: ${escapeLine(cell.reason)}`;
    case "fails":
      return `fails (${seconds(cell.ms)}): ${escapeLine(cell.reason)}`;
    case "blocked":
      return `could not be tried (${seconds(cell.ms)}): ${escapeLine(cell.reason)}`;
    case "cannot":
      return "cannot be";
    case "not_run":
      return "was not run";
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
