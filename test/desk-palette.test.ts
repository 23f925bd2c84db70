import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AGENT_COLORS } from "../src/web/parts/agent-color.js";

test("the dark style sheet has the palette of the code", () => {
  const css = readFileSync(new URL("../src/web/styles/agent-colors.css", import.meta.url), "utf8");
  for (const { name, border, bg, text } of AGENT_COLORS) {
    const rule = `[data-agent-color="${name}"] {\n  --agent-border: ${border};\n  --agent-bg: ${bg};\n  --agent-text: ${text};\n}`;
    expect(css).toContain(`\n${rule}`);
  }
});
