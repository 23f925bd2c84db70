import { homedir } from "node:os";
import { expect, test } from "vitest";
import { NAME_PATTERN } from "../model/names.js";
import { describeAgent } from "./describe-agent.js";

test.each([
  ["claude-code", "/src/shop", "claude-shop", "claude-code"],
  ["codex-mcp-client", "/src/Shop Front", "codex-shop-front", "codex"],
  ["gemini-cli-mcp-client", "/src/shop", "gemini-shop", "gemini"],
  ["qwen-cli-mcp-client-huddle", "/src/shop", "qwen-shop", "qwen"],
  ["factory-cli", "/src/shop", "droid-shop", "droid"],
  ["copilot-cli", "/src/shop", "copilot-shop", "copilot"],
  ["Zed Editor", "/src/shop", "zed-editor-shop", "Zed Editor"],
  ["", "/src/shop", "agent-shop", undefined],
  ["user", "/", "agent", "user"],
  ["claude-code", "/src/huddle", "claude-huddle", "claude-code"],
  ["claude-code", "/src/admin", "claude-admin", "claude-code"],
  ["us", "/src/er", "agent", "us"],
  ["claude-code", homedir(), "claude", "claude-code"],
  ["claude-code", "/src/日本", "claude", "claude-code"],
])("%s in %s is %s", (client, project, name, backend) => {
  expect(describeAgent({ name: client, version: "1" }, project, {})).toEqual({
    name,
    team: undefined,
    project,
    backend,
  });
});

test("a long folder leaves a legal name, and a given name stands as it is", () => {
  const client = { name: "claude-code", version: "1" };
  const folder = `/src/${"x".repeat(200)}`;
  expect(describeAgent(client, folder, {}).name).toMatch(NAME_PATTERN);
  expect(describeAgent(client, folder, { name: "Not Legal" }).name).toBe("Not Legal");
});
