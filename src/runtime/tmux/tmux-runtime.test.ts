import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { promptOf, runtimeContract } from "../../../test/contract/runtime.js";
import { createRecordingHost } from "../../../test/fakes/runtime-host.js";
import { patientTimes, scriptedPaneLaunch, sentTo, testSocket } from "../../../test/fakes/scripted-pane.js";
import { toolsListedMark } from "../../model/tools-listed-mark.js";
import { readyTwiceMs } from "./pane.js";
import { createTmuxRuntime } from "./tmux-runtime.js";

const timeout = 300_000;

runtimeContract("tmux", () => ({
  runtime: createTmuxRuntime({ socket: `huddle-test-${process.pid}`, times: patientTimes, toolsWithinMs: 0 }),
  evidence: "pane_took_it",
  launch: (overrides) => scriptedPaneLaunch("claude", overrides),
  can: { permission: false, text: false, mcp: true },
}));

test("claude is there before its tools: nothing is put in until they are, and it is sent then", {
  timeout,
}, async () => {
  const launch = scriptedPaneLaunch("claude");
  const host = createRecordingHost();
  const runtime = createTmuxRuntime({ socket: testSocket(), times: patientTimes, toolsWithinMs: 600_000 });
  const agent = await runtime.start(launch, host);
  onTestFinished(() => agent.stop({ graceMs: 0 }));
  const turn = agent.prompt(promptOf("!say hello"), host.listener);
  await sleep(2 * readyTwiceMs);
  expect(existsSync(join(launch.cwd, "pasted"))).toBe(false);
  writeFileSync(join(launch.folder, toolsListedMark), "");
  expect((await turn).text).toContain("hello");
  expect(sentTo(launch.cwd)).toHaveLength(1);
});
