import { expect, test } from "vitest";
import { stepTree } from "./step-tree.js";

const draw = (...steps: [name: string, ...dependencies: string[]][]) =>
  stepTree(steps.map(([name, ...depends_on]) => ({ name, depends_on }))).map(
    ({ step, branch, after }) =>
      `${branch}${step.name}${after.length > 0 ? ` after ${after.join(" ")}` : ""}`,
  );

test("a step hangs on its dependency, and names them where there are several", () => {
  expect(draw(["a"], ["b", "a"], ["c", "a"], ["d", "b", "c"], ["e"])).toEqual([
    "a",
    "├─b",
    "└─c",
    "  └─d after b c",
    "e",
  ]);
});

test("the order in which steps were written does not matter", () => {
  expect(draw(["c", "b"], ["b", "a"], ["a"])).toEqual(["a", "└─b", "  └─c"]);
});

test("a chain of ten thousand neither runs out of stack nor to the right", () => {
  const chain = Array.from({ length: 10_000 }, (_, i): [string, ...string[]] =>
    i === 0 ? ["s0"] : [`s${i}`, `s${i - 1}`],
  );
  const lines = draw(...chain);
  expect(lines).toHaveLength(10_000);
  expect(lines.at(-1)).toBe("          └─s9999 after s9998");
});

test("each step is there once, whatever it depends on", () => {
  expect(draw(["a", "nobody"], ["b", "b"], ["c", "a", "a"]).length).toBeGreaterThan(0);
  expect(draw(["a"], ["b", "a"], ["c", "a", "b"])).toEqual(["a", "└─b", "  └─c after a b"]);
});
