import type { Point } from "./place-nodes.js";

/* The line from one node to another: bowed, so that the way there and the way back do not lie upon each other. */

export type Box = Point & { width: number; height: number };
export type EdgeShape = { line: string; arrow: string; label: Point; length: number };

const ARROW = 9;
const GAP = 4;
/**
 * Where the label may stand, the best first: the way there and the way back have theirs at different heights, each nearer to its
 * beginning, unless something is there already.
 */
const LABEL_AT = [0.3, 0.42, 0.2, 0.54, 0.66, 0.78];
/** About as large as most labels are. */
const LABEL = { width: 64, height: 24 };

/** How far a line is bowed: away from the way back, and around whoever stands between. */
export function bowOf(from: Box, to: Box, others: readonly Box[], hasWayBack: boolean): number {
  const isInTheWay = others.some((box) => crosses(from, to, box));
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (isInTheWay) return Math.min(120, length * 0.42);
  return hasWayBack ? Math.min(30, length * 0.17) : Math.min(12, length * 0.07);
}

/** `taken`: what the label is not to cover. */
export function shapeEdge(from: Box, to: Box, bow: number, taken: readonly Box[] = []): EdgeShape {
  const length = Math.max(1, Math.hypot(to.x - from.x, to.y - from.y));
  const normal = { x: (to.y - from.y) / length, y: (from.x - to.x) / length };
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  // The curve comes half as far as its control point.
  const control = { x: middle.x + normal.x * bow * 2, y: middle.y + normal.y * bow * 2 };
  const start = leave(from, control, GAP);
  const tip = leave(to, control, GAP);
  const away = Math.max(1, Math.hypot(control.x - tip.x, control.y - tip.y));
  const back = { x: (control.x - tip.x) / away, y: (control.y - tip.y) / away };
  const end = { x: tip.x + back.x * ARROW, y: tip.y + back.y * ARROW };
  const half = ARROW * 0.5;
  return {
    line: `M${say(start)}Q${say(control)} ${say(end)}`,
    arrow: `M${say(tip)}L${say({ x: end.x - back.y * half, y: end.y + back.x * half })}L${say({ x: end.x + back.y * half, y: end.y - back.x * half })}z`,
    label: freeSpot(
      LABEL_AT.map((t) => along(start, control, end, t)),
      taken,
    ),
    length,
  };
}

function freeSpot(spots: readonly Point[], taken: readonly Box[]): Point {
  const [best = { x: 0, y: 0 }] = spots;
  return spots.find((spot) => !taken.some((box) => overlap({ ...spot, ...LABEL }, box))) ?? best;
}

function overlap(one: Box, other: Box): boolean {
  return (
    Math.abs(one.x - other.x) < (one.width + other.width) / 2 &&
    Math.abs(one.y - other.y) < (one.height + other.height) / 2
  );
}

/** What the label of a line covers. */
export function labelBox({ label }: EdgeShape): Box {
  return { ...label, ...LABEL };
}

/** Where the way from the middle of a box to a point leaves it. */
function leave(box: Box, point: Point, gap: number): Point {
  const [dx, dy] = [point.x - box.x, point.y - box.y];
  const scale = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : (box.width / 2 + gap) / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : (box.height / 2 + gap) / Math.abs(dy),
  );
  return Number.isFinite(scale) ? { x: box.x + dx * scale, y: box.y + dy * scale } : { x: box.x, y: box.y };
}

function along(a: Point, b: Point, c: Point, t: number): Point {
  const [p, q, r] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
  return { x: p * a.x + q * b.x + r * c.x, y: p * a.y + q * b.y + r * c.y };
}

/** Whether the straight way between two goes through a box. */
function crosses(from: Box, to: Box, box: Box): boolean {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let [enter, exit] = [0, 1];
  for (const [start, step, middle, size] of [
    [from.x, dx, box.x, box.width],
    [from.y, dy, box.y, box.height],
  ] as const) {
    const [low, high] = [middle - size / 2, middle + size / 2];
    if (step === 0) {
      if (start < low || start > high) return false;
      continue;
    }
    const [near, far] = [(low - start) / step, (high - start) / step].sort((a, b) => a - b);
    enter = Math.max(enter, near ?? 0);
    exit = Math.min(exit, far ?? 1);
  }
  return enter < exit;
}

function say({ x, y }: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
