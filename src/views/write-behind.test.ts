import { expect, test } from "vitest";
import { createWriteBehind } from "./write-behind.js";

function open(remembered = 10) {
  const table = new Map<string, number>();
  const reads: string[] = [];
  const rows = createWriteBehind<number>({
    read(first, second) {
      reads.push(first + second);
      return table.get(first + second);
    },
    write: (first, second, value) => table.set(first + second, value),
    remembered,
  });
  return { table, reads, rows };
}

test("a row is what was set last, and reaches the table when it is stored", () => {
  const { table, rows, reads } = open();
  rows.set("a", "1", 5);
  rows.set("a", "1", 6);
  rows.set("a", "2", 7);
  rows.set("b", "1", 8);
  expect(rows.get("a", "1")).toBe(6);
  expect(rows.trails.unstored()).toBe(3);
  expect([...rows.unstored("a")]).toEqual([
    ["1", 6],
    ["2", 7],
  ]);
  expect(table.size).toBe(0);

  rows.trails.store();
  expect([...table]).toEqual([
    ["a1", 6],
    ["a2", 7],
    ["b1", 8],
  ]);
  expect(rows.trails.unstored()).toBe(0);
  expect([...rows.unstored("a")]).toEqual([]);
  expect(rows.get("a", "2")).toBe(7);
  expect(reads).toEqual([]);
});

test("what was read is not read again, also when there was nothing, until it is forgotten", () => {
  const { table, rows, reads } = open();
  table.set("a1", 3);
  expect([rows.get("a", "1"), rows.get("a", "1")]).toEqual([3, 3]);
  expect([rows.get("z", "1"), rows.get("z", "1")]).toEqual([undefined, undefined]);
  expect(reads).toEqual(["a1", "z1"]);
  rows.set("z", "1", 9);
  expect(rows.get("z", "1")).toBe(9);
  rows.trails.store();
  expect(rows.get("z", "1")).toBe(9);

  rows.set("a", "1", 4);
  rows.forget();
  expect(rows.get("a", "1")).toBe(3);
  expect(rows.trails.unstored()).toBe(0);
  expect(reads).toEqual(["a1", "z1", "a1"]);
});

test("of the stored rows it remembers the newest; of those that are not stored, all", () => {
  const { rows, reads } = open(2);
  for (const key of ["1", "2", "3"]) rows.set("a", key, Number(key));
  for (const key of ["1", "2", "3"]) expect(rows.get("a", key)).toBe(Number(key));
  rows.trails.store();
  for (const key of ["3", "2", "1"]) expect(rows.get("a", key)).toBe(Number(key));
  expect(reads).toEqual(["a1"]);
});
