import { expect, test } from "vitest";
import { whatFailed } from "./soak/what-failed.js";

const passed = Array.from({ length: 100 }, (_, n) => ` ✓ src/file-${n}.test.ts`).join("\n");

test("of a run of tests that failed the first failure is told, and what was left behind", () => {
  const printed = `${passed}\n⎯⎯ Failed Tests 2 ⎯⎯\n\n\u001b[31mFAIL\u001b[39m src/a.test.ts > adds\n${passed}\n✗ Left lying: /tmp/hud-1\n`;

  const told = whatFailed(printed);

  expect(told.slice(0, 2)).toEqual(["⎯⎯ Failed Tests 2 ⎯⎯", "FAIL src/a.test.ts > adds"]);
  expect(told.at(-1)).toBe("✗ Left lying: /tmp/hud-1");
  expect(told.length).toBeLessThan(20);
});

test("of any other command its last lines are told", () => {
  expect(whatFailed(`${passed}\nno space left\n`).at(-1)).toBe("no space left");
});
