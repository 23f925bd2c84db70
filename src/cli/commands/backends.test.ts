import { expect, test } from "vitest";
import { cli } from "../../../test/fakes/run-cli.js";
import { scriptedHub } from "../../../test/fakes/scripted-hub.js";

const at = "2026-11-18T07:00:00.000Z";
const way = (runtime: string, fails?: string[]) => ({
  runtime,
  works: true,
  reason: null,
  install: null,
  selftest: fails === undefined ? null : { fails, version: "2.1.325", at },
});

test("a way that failed the self-test is named with what failed; one that passed needs no word", async () => {
  const claude = {
    name: "claude-code",
    label: "Claude Code",
    installed: true,
    path: "/bin/claude",
    version: "2.1.325",
    checking: false,
    install: null,
    runtimes: [way("acp", ["queue", "resume"]), way("headless"), way("tmux", [])],
    runtime: "tmux",
    runtime_reason: "claude-agent-acp failed the self-test (queue, resume)",
    permissions: "ask",
    tools: "huddle",
    worktree: false,
    models: [],
  };
  const hub = await scriptedHub(() => ({ status: 200, json: { backends: [claude], default: null } }));

  const { stdout } = await cli(["backends"], { env: { HUDDLE_URL: hub.url, HUDDLE_TOKEN: "secret" } });

  expect(stdout.split("\n")[1]).toBe(
    "claude-code  2.1.325  tmux     acp failed the self-test (queue, resume)",
  );
});
