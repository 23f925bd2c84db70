import { expect, test } from "vitest";
import { bowOf, shapeEdge } from "./edge-shape.js";

const box = (x: number, y: number) => ({ x, y, width: 100, height: 36 });

test("the way there and the way back lie on two sides, and so do their labels", () => {
  const [a, b] = [box(200, 50), box(200, 250)];
  const there = shapeEdge(a, b, bowOf(a, b, [], true));
  const back = shapeEdge(b, a, bowOf(b, a, [], true));
  expect(there.label.x).toBeGreaterThan(220);
  expect(back.label.x).toBeLessThan(180);
  expect(there.label.y).toBeLessThan(back.label.y);
});

test("a line goes around whoever stands between", () => {
  const [a, b] = [box(200, 50), box(200, 350)];
  expect(bowOf(a, b, [box(200, 200)], false)).toBeGreaterThan(100);
  expect(bowOf(a, b, [box(400, 200)], false)).toBeLessThan(20);
});

test("it begins and ends at the edges of the nodes", () => {
  const { line, arrow } = shapeEdge(box(100, 100), box(100, 300), 0);
  expect(line.startsWith("M100.0 122.0")).toBe(true);
  expect(arrow.startsWith("M100.0 278.0")).toBe(true);
});

test("a label stands where nothing is yet", () => {
  const [a, b] = [box(200, 50), box(200, 350)];
  const free = shapeEdge(a, b, 0).label;
  const { label } = shapeEdge(a, b, 0, [{ ...free, width: 100, height: 36 }]);
  expect(Math.abs(label.y - free.y)).toBeGreaterThan(18);
});
