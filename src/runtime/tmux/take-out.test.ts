import { expect, test } from "vitest";
import { screenRule } from "../vendors/gemini/screen.js";
import { parseRows, type Screen } from "./screen.js";
import { rowsWritten } from "./take-out.js";

function screenOf(text: readonly string[], cursor: { row: number; column: number }): Screen {
  const rows = parseRows(
    ["─".repeat(140), " Shift+Tab to accept edits", "", ...text, "", " workspace"].join("\n"),
  );
  const shape = { command: "gemini", inMode: false, dead: false, title: "◇  Ready", width: 140, height: 45 };
  return { rows, cursor: { ...cursor, visible: true }, ...shape };
}

function rowsOf(screen: Screen): number {
  const box = screenRule.findBox(screen);
  if (box === undefined) throw new Error("no box");
  return rowsWritten(box, screen);
}

test("what is taken out reaches up to the cursor, also where a new line was made behind the last word", () => {
  const line = " > MSG_RACE_0000004b: <<say answer 75>>zq75x424";
  expect(rowsOf(screenOf([line], { row: 3, column: line.length }))).toBe(1);
  expect(rowsOf(screenOf([line, ""], { row: 4, column: 3 }))).toBe(2);
  expect(rowsOf(screenOf([line, "   zq75x424"], { row: 4, column: 11 }))).toBe(2);
  expect(rowsOf(screenOf([line, ""], { row: 5, column: 0 }))).toBe(1);
});
