import { type Behaviour, signs } from "../../selftest/cell.js";
import type { RunFacts } from "../../selftest/document.js";
import { renderHead, renderRow } from "../../selftest/render-grid.js";
import type { BackendResult, RowResult } from "../../selftest/run-selftest.js";
import { counted } from "../amounts.js";
import type { CliContext } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { indentText } from "../wrap-text.js";
import { GRID_LABEL, isLive, paintSign, shownBehaviours, titleOf } from "./view.js";

/** The grid, unless it stands there already; what is not well, with the way out; and what it comes to. */
export function renderResult(
  cli: CliContext,
  results: readonly BackendResult[],
  facts: RunFacts,
  { behaviours }: { behaviours: ReadonlySet<Behaviour> },
): string {
  const here = results.filter(({ rows }) => rows.some(({ cells }) => cells.size > 0));
  const names = shownBehaviours(behaviours);
  const grid = here.flatMap(({ found, rows }) => [
    titleOf(found),
    ...rows
      .filter(({ cells }) => cells.size > 0)
      .map(({ runtime, cells }) => {
        const row = names.map((name) => signs[cells.get(name)?.kind ?? "not_run"]);
        return renderRow({ label: `  ${runtime}`, signs: row }, names, GRID_LABEL, (sign) =>
          paintSign(cli, sign),
        );
      }),
  ]);
  return [
    ...(isLive(cli) || grid.length === 0 ? [] : [renderHead(names, GRID_LABEL), ...grid]),
    ...notesOf(cli, here),
    ...missingOf(cli, results),
    ...(facts.refused.length === 0
      ? []
      : [
          wrapped(
            cli,
            `Refused, since nothing may leave this machine: ${facts.refused.map(escapeLine).join(", ")}`,
          ),
        ]),
    summary(cli, results, facts),
    ...(facts.logs === undefined ? [] : [`Logs: ${facts.logs}`]),
  ].join("\n");
}

/** Each reason once: a behaviour that was not run needs none beside that of the one before it. */
function notesOf(cli: CliContext, results: readonly BackendResult[]): string[] {
  return results.flatMap(({ found, rows }) =>
    rows.flatMap(({ runtime, cells }) =>
      [...cells].flatMap(([behaviour, cell]) => {
        if (!("reason" in cell) || cell.kind === "not_run") return [];
        const sign = paintSign(cli, signs[cell.kind]);
        const what = `${sign} ${cli.output.colors.bold(escapeLine(`${found.backend.name} ${runtime}, ${behaviour}`))}:`;
        const fix = "fix" in cell ? [indentText(escapeLine(cell.fix), cli.output.width, "  ")] : [];
        return [wrapped(cli, `${what} ${escapeLine(cell.reason)}`), ...fix];
      }),
    ),
  );
}

function missingOf(cli: CliContext, results: readonly BackendResult[]): string[] {
  const absent = results
    .filter(({ found }) => found.path === undefined)
    .map(({ found }) => found.backend.name);
  const ways = results.flatMap(({ found, rows }) =>
    found.path === undefined ? [] : rows.flatMap((row) => missingRow(found.backend.name, row)),
  );
  const names =
    absent.length === 0
      ? []
      : [`Not installed here: ${absent.map(escapeLine).join(", ")}. See: huddle backends`];
  return [...ways, ...names].map((line) => wrapped(cli, `${signs.not_run} ${line}`));
}

function missingRow(backend: string, row: RowResult): string[] {
  if (row.program !== undefined) return [];
  const fix = row.fix === null ? "" : `. Install it with: ${row.fix}`;
  return [`${escapeLine(backend)} ${row.runtime}: ${escapeLine(row.reason)}${fix}`];
}

function summary(
  { output: { colors } }: CliContext,
  results: readonly BackendResult[],
  facts: RunFacts,
): string {
  const cells = results.flatMap(({ rows }) => rows.flatMap((row) => [...row.cells.values()]));
  if (cells.length === 0) return "There is nothing to try here.";
  const count = (kind: keyof typeof signs) => cells.filter((cell) => cell.kind === kind).length;
  const works = `${count("works") + count("retried")} of ${counted(cells.length, "cell")} work`;
  const mark = facts.ok ? colors.green("✓") : colors.red("✗");
  const kept = facts.remembered === 0 ? "" : ` The hub prefers what works from now on.`;
  return `${mark} ${works}, in ${facts.seconds} s.${kept}\n${legend}`;
}

const legend = `${signs.works} works  ${signs.retried} second try  ${signs.fails} fails  ${signs.blocked} could not be tried  ${signs.cannot} cannot be  ${signs.not_run} not run`;

function wrapped({ output }: CliContext, text: string): string {
  return indentText(text, output.width, "").trimStart();
}
