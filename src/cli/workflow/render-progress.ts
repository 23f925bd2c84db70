import stringWidth from "string-width";
import type { Workflow } from "../../client/hub-client.js";
import { formatSpan } from "../amounts.js";
import { escapeLine } from "../escape-text.js";
import type { Colors } from "../output.js";
import { type Cell, renderTable, shorten } from "../table.js";
import { doerOf, elapsed, firstLine, hasEnded, markOf, needsOf, paintOf, type Step } from "./step-marks.js";
import { stepTree, type TreeRow } from "./step-tree.js";

export type View = {
  now: number;
  width: number;
  /** As many lines as fit on the screen. */
  height: number;
  colors: Colors;
  /** What is wrong with the connection, if anything. */
  trouble?: string | undefined;
};

const BAR = 24;
const GAP = 2;
const AGENT_MAX = 20;
/** On a screen narrower than this there is no room for who does it. */
const NARROW = 50;

/** A workflow as it stands, in lines that fit the screen. */
export function renderProgress(workflow: Workflow, view: View): string[] {
  const { colors, width, now, trouble } = view;
  const cut = (text: string, paint: (text: string) => string = (same) => same) => paint(shorten(text, width));
  const needs = needsOf(workflow)
    .flatMap((need) => fold(`→ ${need}`, width))
    .map((line) => cut(line, colors.yellow));
  const head = [headline(workflow, view), bar(workflow, view), ""];
  const tail = [...needs, ...(trouble === undefined ? [] : [cut(trouble, colors.yellow)])];
  const room = Math.max(3, view.height - head.length - Math.min(tail.length, 4) - (tail.length > 0 ? 1 : 0));
  const shown = choose(stepTree(workflow.steps), room);
  const rest = shown.hidden.length === 0 ? [] : [cut(`  ${countHidden(shown.hidden)}`, colors.dim)];
  return [
    ...head,
    ...renderRows(shown.rows, { now, width, colors }),
    ...rest,
    ...(tail.length > 0 ? ["", ...tail] : []),
  ].slice(0, Math.max(view.height, 1));
}

/** A command that is cut cannot be typed: on a narrow screen it has a line of its own. */
function fold(need: string, width: number): string[] {
  return stringWidth(need) <= width
    ? [need]
    : need.split(/(?<=:) (?=huddle )/).map((part, i) => (i === 0 ? part : `  ${part}`));
}

function headline(
  { name, workflow_id, status, created, ended }: Workflow,
  { width, colors, now }: View,
): string {
  const span = formatSpan((ended === null ? now : Date.parse(ended)) - Date.parse(created));
  const end = `${status}  ${span}`;
  const title = shorten(escapeLine(name), Math.max(8, width - end.length - GAP));
  const id = escapeLine(workflow_id);
  const roomy = stringWidth(title) + id.length + end.length + 2 * GAP <= width;
  return [
    colors.bold(title),
    ...(roomy ? [colors.dim(id)] : []),
    `${paintOf(status, colors)(status)}  ${span}`,
  ].join("  ");
}

function bar({ steps }: Workflow, { width, colors }: View): string {
  const ended = steps.filter(hasEnded).length;
  const count = `${ended} of ${steps.length} steps`;
  const cells = Math.max(0, Math.min(BAR, width - count.length - GAP));
  const filled = steps.length === 0 ? 0 : Math.floor((ended / steps.length) * cells);
  const wrong = steps.some(({ status }) => status === "failed" || status === "blocked");
  const paint = wrong ? colors.red : colors.green;
  return `${paint("█".repeat(filled))}${colors.dim("░".repeat(cells - filled))}  ${count}`.trimStart();
}

/** All of them; or those that a person looks for first, in the order of the tree. */
function choose(rows: readonly TreeRow<Step>[], room: number): Record<"rows" | "hidden", TreeRow<Step>[]> {
  if (rows.length <= room) return { rows: [...rows], hidden: [] };
  const wanted = new Set(
    [...rows].sort((a, b) => urgency(a.step) - urgency(b.step)).slice(0, Math.max(1, room - 1)),
  );
  // Branches whose beginnings are not shown say nothing: what they hang on is said by name.
  const flat = rows
    .filter((row) => wanted.has(row))
    .map(({ step }) => ({ step, branch: "", after: step.depends_on }));
  return { rows: flat, hidden: rows.filter((row) => !wanted.has(row)) };
}

const order: readonly Step["status"][] = ["waiting", "failed", "running", "pending", "done", "blocked"];

function urgency({ status }: Step): number {
  const place = order.indexOf(status);
  return place === -1 ? order.length : place;
}

function countHidden(hidden: readonly TreeRow<Step>[]): string {
  const counts = new Map<string, number>();
  for (const { step } of hidden) counts.set(step.status, (counts.get(step.status) ?? 0) + 1);
  return `… and ${hidden.length} more: ${[...counts].map(([status, count]) => `${count} ${status}`).join(", ")}`;
}

function renderRows(
  rows: readonly TreeRow<Step>[],
  { now, width, colors }: Pick<View, "now" | "width" | "colors">,
): string[] {
  const isNarrow = width < NARROW;
  const nameMax = Math.max(8, Math.floor(width * 0.4));
  const cells = rows.map((row): Cell[] => {
    const { step, branch } = row;
    const name = shorten(`${branch}${markOf(step)} ${escapeLine(step.name)}`, nameMax);
    const agent = shorten(doerOf(step), AGENT_MAX);
    return [
      { text: name, paint: (text) => paintName(text, step, colors) },
      ...(isNarrow ? [] : [{ text: agent, paint: colors.dim }]),
      elapsed(step, now),
    ];
  });
  const widths = [0, 1, 2].map((column) => Math.max(0, ...cells.map((row) => widthOf(row[column]))));
  const used = widths.reduce((sum, one) => sum + one, 0) + GAP * (isNarrow ? 2 : 3);
  const lines = cells.map((row, index): Cell[] => {
    const { step, after } = rows[index] ?? { step: undefined, after: [] };
    const note = step === undefined ? "" : shorten(noteOf(step, after), Math.max(0, width - used));
    const paint = step?.status === "failed" ? colors.red : colors.dim;
    return [...row, width - used < 4 ? "" : { text: note, paint }];
  });
  return lines.length === 0 ? [] : renderTable(undefined, lines, undefined).split("\n");
}

function paintName(text: string, step: Step, colors: Colors): string {
  const mark = markOf(step);
  const at = text.indexOf(mark);
  if (at === -1) return text;
  const rest = text.slice(at + mark.length);
  const name = step.status === "running" || step.status === "waiting" ? colors.bold(rest) : rest;
  return `${colors.dim(text.slice(0, at))}${paintOf(step.status, colors)(mark)}${name}`;
}

function widthOf(cell: Cell | undefined): number {
  return cell === undefined ? 0 : stringWidth(typeof cell === "string" ? cell : cell.text);
}

/** What else there is to say of a step: why it failed, that it was begun again, what it waits for. */
function noteOf(step: Step, after: readonly string[]): string {
  const parts = [
    step.repeated === true ? "repeated" : undefined,
    step.attempt > 1 ? `try ${step.attempt}` : undefined,
    step.status === "blocked" || step.status === "skipped" || step.status === "cancelled"
      ? step.status
      : undefined,
    step.error === null || step.status === "blocked" ? undefined : firstLine(step.error),
    step.waits_for === undefined ? undefined : `waits for ${escapeLine(step.waits_for)}`,
    step.on === "success" || hasEnded(step) ? undefined : `on ${step.on}`,
    after.length === 0 ? undefined : `after ${after.map(escapeLine).join(", ")}`,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}
