import { expect, test } from "vitest";
import css from "../styles/agent-colors.css?raw";
import { AGENT_COLORS, getAgentColor, monogramOf } from "./agent-color.js";

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

test("the dark style sheet has the palette of the code", () => {
  for (const { name, border, bg, text } of AGENT_COLORS) {
    const rule = `[data-agent-color="${name}"] {\n  --agent-border: ${border};\n  --agent-bg: ${bg};\n  --agent-text: ${text};\n}`;
    expect(css).toContain(`\n${rule}`);
  }
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
