import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Backend } from "../../src/runtime/backend.js";
import { buildEnvironment, hostedMarker } from "../../src/runtime/process/environment.js";
import type { AgentHost, Launch } from "../../src/runtime/runtime.js";
import { defaultPaneTimes } from "../../src/runtime/tmux/pane.js";
import { removeSocket } from "../../src/runtime/tmux/remove-socket.js";
import { createTmuxRuntime } from "../../src/runtime/tmux/tmux-runtime.js";
import type { Lab } from "./lab.js";
import type { Measurement } from "./row.js";
import { median, summarize } from "./statistics.js";
import { within } from "./within.js";

/** From the moment that an agent's screen has taken a line until the runtime says so. */
export const pane: Measurement = {
  name: "pane",
  async run(lab) {
    const launch = scriptedLaunch(lab);
    const socket = `huddle-bench-${process.pid}`;
    lab.onClose(() => {
      spawnSync("tmux", ["-L", socket, "kill-server"]);
      return removeSocket(socket);
    });
    const agent = await createTmuxRuntime({ socket, toolsWithinMs: 0 }).start(launch, silentHost);
    const times: number[] = [];
    for (let i = 0; i < (lab.quick ? 10 : 40); i++) {
      const tag = `MSG_USER_${i.toString(16).padStart(8, "0")}`;
      const line = `${tag}: !say done`;
      let takenAt = 0;
      const listener = {
        taken() {
          takenAt = performance.timeOrigin + performance.now();
        },
        responding() {},
      };
      await within(30_000, "a turn", agent.prompt({ turn: tag, text: line, line, tag }, listener));
      times.push(takenAt - statSync(join(launch.cwd, "sent")).mtimeMs);
    }
    await agent.stop({ graceMs: 0 });
    return [
      {
        what: "A line that an agent's screen has taken is confirmed, p50",
        against: "tmux.poll_interval_ms",
        unit: "ms",
        ...summarize([{ anchor: defaultPaneTimes.pollMs, ours: median(times) }]),
        limit: { on: "ratio", is: "at most", bound: 1 },
      },
    ];
  },
};

const silentHost: AgentHost = {
  session() {},
  output() {},
  permission: () => Promise.resolve("cancelled"),
  exited() {},
};

function scriptedLaunch(lab: Lab): Launch {
  const cwd = lab.folder();
  const backend: Backend = {
    name: "scripted",
    vendor: "claude-code",
    command: resolve("test", "fakes", "scripted-agent", "screen.mjs"),
    args: ["--guise", "claude"],
    env: { SCRIPTED_HOME: cwd },
    passEnv: [],
    runtime: "tmux",
    permissions: "ask",
    install: "It comes with the tests.",
  };
  return {
    agent: { id: "agent-1", name: "alice", team: "main" },
    backend,
    cwd,
    bridge: [process.execPath, "-e", "0"],
    env: buildEnvironment(process.env, backend, hostedMarker("bench", "agent-1")),
    folder: lab.folder(),
  };
}
