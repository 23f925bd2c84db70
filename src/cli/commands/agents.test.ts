import { expect, test } from "vitest";
import { cli } from "../../../test/fakes/run-cli.js";
import { scriptedHub } from "../../../test/fakes/scripted-hub.js";

/** An agent as the hub shows it. */
const shown = {
  id: "id-1",
  name: "bob",
  label: null,
  status: "idle",
  since: "2026-01-01T12:00:00.000Z",
  evidence: "it waits for mail",
  role: "agent",
  project: null,
  team: "main",
  model: null,
  backend: null,
  lastActive: "2026-01-01T12:00:00.000Z",
  permissions: "ask",
  parent: null,
};

test("agents says how and why each is run, below the table", async () => {
  const why = { runtime: "tmux", runtimeReason: "claude-agent-acp is not installed" };
  const agents = [
    { ...shown, state: "idle", backend: "claude-code", ...why },
    {
      ...shown,
      id: "id-2",
      name: "eve",
      state: "idle",
      backend: "codex",
      runtime: "acp",
      runtimeReason: "preferred",
    },
  ];
  const hub = await scriptedHub(() => ({ status: 200, json: { agents, self: null, next: null } }));
  const world = { tty: true, env: { HUDDLE_URL: hub.url, HUDDLE_TOKEN: "secret", NO_COLOR: "1" } };

  const narrow = await cli(["agents"], { ...world, columns: 80 });
  expect(narrow.stdout).toContain("claude-code (tmux)\n");
  expect(narrow.stdout).toMatch(/\nbob is run by tmux: claude-agent-acp is not installed\nOn the desk: /);
  expect(narrow.stdout.split("\n").every((line) => line.length <= 80)).toBe(true);
});
