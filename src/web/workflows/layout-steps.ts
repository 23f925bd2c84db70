import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from "@dagrejs/dagre";

/*
 * Where the steps of a workflow stand: columns from left to right, each step in the first column that all it depends on lets it
 * be in. It depends on names and dependencies only, so that nothing moves while the workflow runs.
 */

export const STEP_WIDTH = 178;
export const STEP_HEIGHT = 60;
const COLUMN_GAP = 34;
const ROW_GAP = 36;
const MARGIN = 26;
/** Room for the head of the arrow. */
const ARROW = 6;

type Shape = { name: string; depends_on: readonly string[] };
type Point = { x: number; y: number };

export type StepLayout = {
  width: number;
  height: number;
  /** Upper left corners. */
  steps: ReadonlyMap<string, Point>;
  edges: readonly { from: string; to: string; path: string; end: Point }[];
};

export function layoutSteps(shapes: readonly Shape[]): StepLayout {
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>();
  // From right to left with every edge turned round: the quick ranking puts each as near to where edges begin as it can.
  graph.setGraph({
    rankdir: "RL",
    ranker: "longest-path",
    nodesep: ROW_GAP,
    ranksep: COLUMN_GAP,
    edgesep: 18,
    marginx: MARGIN,
    marginy: MARGIN,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  const names = new Set(shapes.map(({ name }) => name));
  for (const { name } of shapes) graph.setNode(name, { width: STEP_WIDTH, height: STEP_HEIGHT });
  const pairs = shapes.flatMap(({ name, depends_on }) =>
    depends_on.filter((from) => names.has(from)).map((from) => ({ from, to: name })),
  );
  for (const { from, to } of pairs) graph.setEdge(to, from);
  layout(graph);
  const steps = new Map(shapes.map(({ name }) => [name, cornerOf(graph.node(name))]));
  const edges = pairs.map(({ from, to }) => {
    const bends = graph.edge(to, from)?.points ?? [];
    return { from, to, ...drawEdge(steps.get(from), steps.get(to), bends.toReversed()) };
  });
  const { width = 0, height = 0 } = graph.graph();
  return { width, height, steps, edges };
}

function cornerOf({ x = 0, y = 0 }: { x?: number; y?: number }): Point {
  return { x: Math.round(x - STEP_WIDTH / 2), y: Math.round(y - STEP_HEIGHT / 2) };
}

/** Out of the right side and into the left one. Of the bends only those count that lead past other columns. */
function drawEdge(
  from: Point = { x: 0, y: 0 },
  to: Point = { x: 0, y: 0 },
  bends: readonly Point[],
): { path: string; end: Point } {
  const start = { x: from.x + STEP_WIDTH, y: from.y + STEP_HEIGHT / 2 };
  const end = { x: to.x - ARROW, y: to.y + STEP_HEIGHT / 2 };
  const past = bends.slice(2, -2).filter((_, at) => at % 2 === 0);
  const points = [start, ...past.flatMap(({ x, y }) => [passing(x, y, -1), passing(x, y, 1)]), end];
  const curves = points.slice(1).map((point, at) => curve(points[at] ?? start, point));
  return { path: `M${start.x} ${start.y}${curves.join("")}`, end };
}

/** It goes straight for as long as a step beside it is wide. */
function passing(x: number, y: number, side: -1 | 1): Point {
  return { x: Math.round(x + (side * STEP_WIDTH) / 2), y: Math.round(y) };
}

function curve(from: Point, to: Point): string {
  const half = (to.x - from.x) / 2;
  return `C${from.x + half} ${from.y} ${to.x - half} ${to.y} ${to.x} ${to.y}`;
}
