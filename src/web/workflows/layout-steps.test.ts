import { expect, test } from "vitest";
import { layoutSteps, STEP_HEIGHT, STEP_WIDTH } from "./layout-steps.js";

const step = (name: string, ...depends_on: string[]) => ({ name, depends_on });

test("a step stands in the first column that what it depends on lets it be in", () => {
  const { steps } = layoutSteps([
    step("a"),
    step("b", "a"),
    step("aside", "a"),
    step("c", "b"),
    step("d", "c", "a"),
  ]);
  const columns = [...steps]
    .map(([name, { x }]) => [name, x] as const)
    .sort((one, other) => one[1] - other[1]);
  const places = [...new Set(columns.map(([, x]) => x))];

  expect(columns.map(([name, x]) => `${name} ${places.indexOf(x)}`).sort()).toEqual([
    "a 0",
    "aside 1",
    "b 1",
    "c 2",
    "d 3",
  ]);
});

test("no two steps cover each other, and all are within the drawing", () => {
  const shapes = Array.from({ length: 60 }, (_, at) =>
    step(`s${at}`, ...(at < 6 ? [] : [`s${at - 6}`, `s${(at * 5) % (at - 5)}`])),
  );

  const { steps, width, height } = layoutSteps(shapes);

  const placed = [...steps.values()];
  const covering = placed.flatMap((one, at) =>
    placed
      .slice(at + 1)
      .filter(({ x, y }) => Math.abs(x - one.x) < STEP_WIDTH && Math.abs(y - one.y) < STEP_HEIGHT),
  );
  expect(covering).toEqual([]);
  expect(
    placed.every(({ x, y }) => x >= 0 && y >= 0 && x + STEP_WIDTH <= width && y + STEP_HEIGHT <= height),
  ).toBe(true);
});

test("every dependency is a line from the right of one to the left of the other", () => {
  const { edges, steps } = layoutSteps([step("a"), step("b", "a"), step("c", "b", "a")]);

  expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual(["a b", "b c", "a c"]);
  for (const { from, to, path, end } of edges) {
    const begin = steps.get(from);
    expect(path.startsWith(`M${(begin?.x ?? 0) + STEP_WIDTH} ${(begin?.y ?? 0) + STEP_HEIGHT / 2}C`)).toBe(
      true,
    );
    expect(end.x).toBeLessThan(steps.get(to)?.x ?? 0);
  }
});

test("what depends on a step that is not there is drawn all the same", () => {
  expect(layoutSteps([step("a", "gone")]).edges).toEqual([]);
  expect(layoutSteps([]).steps.size).toBe(0);
});
