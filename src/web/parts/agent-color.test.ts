import { expect, test } from "vitest";
import { getAgentColor, monogramOf } from "./agent-color.js";

test.each([
  ["janus-dev", "coral"],
  ["puppet-dev", "lime"],
  ["abra-dev", "orange"],
  ["claude-code", "purple"],
  ["codex", "rose"],
  ["gemini", "teal"],
])("%s is %s", (name, color) => {
  expect(getAgentColor(name).name).toBe(color);
});

test.each([
  ["checkout-lead", "CL"],
  ["reviewer", "RE"],
  ["e2e-dev", "ED"],
  ["x", "X"],
  ["ops/ana-2", "A2"],
])("the monogram of %s is %s", (name, monogram) => {
  expect(monogramOf(name)).toBe(monogram);
});
