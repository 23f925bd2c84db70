import { expect, test } from "vitest";
import { longestCall } from "./call-limit.js";

test.each([
  ["claude-code/2.1.325", false, 110_000],
  ["codex-mcp-client/0.166.0", false, 110_000],
  ["gemini-cli-mcp-client/0.61.0", false, 110_000],
  ["qwen-cli-mcp-client-huddle/0.24.4", false, 110_000],
  ["factory-cli/0.215.0", false, 110_000],
  ["claude-codex/1", false, 50_000],
  ["something/1", false, 50_000],
  ["something/1", true, 110_000],
  [undefined, false, 50_000],
  [undefined, true, 110_000],
])("a client that calls itself %s (progress token: %s) has %i ms", (client, wantsProgress, ms) => {
  expect(longestCall(client, wantsProgress)).toBe(ms);
});
