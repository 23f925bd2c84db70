import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defaultPaneTimes } from "../runtime/tmux/pane.js";
import { loadConfig } from "./config-load.js";

const { config } = loadConfig({ file: join(tmpdir(), "no", "such", "huddle.yaml") });

test("a pair's quick messages wait 2, 4, 8, 16, then 30 s, afresh after 30 s, ten in a minute", () => {
  expect(config.cooldown).toMatchObject({
    quick: 5000,
    delays: ["2s", "4s", "8s", "16s", "30s"],
    reset: 30_000,
    cap: 10,
  });
});

test("a pane has 5 s to take a line, two presses of Enter, a look every 200 ms, and 30 s to be ready", () => {
  expect(config.tmux).toMatchObject({
    timeout_secs: 5,
    retry_count: 2,
    poll_interval_ms: 200,
    ready_timeout_secs: 30,
  });
  expect(defaultPaneTimes).toEqual({
    timeoutMs: 5000,
    retryCount: 2,
    pollMs: 200,
    readyTimeoutMs: 30_000,
    startTimeoutMs: 60_000,
    lostAfterMs: 180_000,
  });
});

test("an agent has 30 s to shut down, a request 30 s to be claimed, and silence 30 s until death", () => {
  expect(config.hosting.shutdown_within).toBe(30_000);
  expect(config.requests.default).toBe(30_000);
  expect(config.presence.dead_after).toBe(30_000);
});
