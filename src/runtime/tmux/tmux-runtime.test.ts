import { runtimeContract } from "../../../test/contract/runtime.js";
import { quickTimes, scriptedPaneLaunch } from "../../../test/fakes/scripted-pane.js";
import { createTmuxRuntime } from "./tmux-runtime.js";

runtimeContract("tmux", () => ({
  runtime: createTmuxRuntime({ socket: `huddle-test-${process.pid}`, times: quickTimes, toolsWithinMs: 0 }),
  evidence: "pane_took_it",
  launch: (overrides) => scriptedPaneLaunch("claude", overrides),
  can: { permission: false, text: false, mcp: true },
}));
