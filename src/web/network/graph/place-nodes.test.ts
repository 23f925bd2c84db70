import { expect, test } from "vitest";
import { placeNodes } from "./place-nodes.js";

const link = (from: string, to: string) => ({ from, to });
const links = [
  link("user", "lead"),
  link("lead", "tax"),
  link("lead", "cart"),
  link("tax", "pay"),
  link("pay", "tax"),
];
const names = ["cart", "lead", "pay", "tax", "user"];

test("mail flows downwards from the person, and nobody stands upon another", () => {
  const places = placeNodes(names, links, new Map(), 480, "user");
  const y = (name: string) => places.get(name)?.y ?? Number.NaN;
  expect(y("user")).toBeLessThan(y("lead"));
  expect(y("lead")).toBeLessThan(y("tax"));
  expect(y("tax")).toBe(y("cart"));
  expect(y("tax")).toBeLessThan(y("pay"));
  const spots = [...places.values()];
  for (const [at, one] of spots.entries())
    for (const other of spots.slice(at + 1))
      expect(Math.abs(one.x - other.x) >= 150 || Math.abs(one.y - other.y) >= 64).toBe(true);
});

test("whoever has a place keeps it when others write, come or go", () => {
  const before = placeNodes(names, links, new Map(), 480, "user");
  expect(placeNodes(["lead", "tax"], links, before, 480)).toBe(before);
  const after = placeNodes([...names, "zoe"], [...links, link("zoe", "pay")], before, 480);
  for (const name of names) expect(after.get(name)).toBe(before.get(name));
  expect(after.has("zoe")).toBe(true);
});

test("fifty are laid out in a block rather than a tower, each in a place of its own", () => {
  const many = Array.from({ length: 50 }, (_, i) => `agent-${i}`);
  const ways = many.flatMap((from, i) =>
    [1, 2, 3, 5, 8, 13].map((step) => link(from, many[(i + step) % 50] ?? from)),
  );
  const places = placeNodes(many, ways, new Map(), 660);
  expect(new Set([...places.values()].map(({ x, y }) => `${Math.round(x)} ${y}`)).size).toBe(50);
  const spread = (axis: "x" | "y") => {
    const all = [...places.values()].map((point) => point[axis]);
    return Math.max(...all) - Math.min(...all);
  };
  expect(spread("y")).toBeLessThan(2.5 * spread("x"));
});
