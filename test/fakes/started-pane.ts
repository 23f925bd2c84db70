import { onTestFinished } from "vitest";
import type { Launch, ScreenWait } from "../../src/runtime/runtime.js";
import { createTmuxRuntime } from "../../src/runtime/tmux/tmux-runtime.js";
import { promptOf } from "../contract/runtime.js";
import { createRecordingHost, type RecordingHost } from "./runtime-host.js";
import { type Guise, patientTimes, scriptedPaneLaunch, testSocket, tmux } from "./scripted-pane.js";

/** Keeps what it is told that the screen waits for. */
type WaitingHost = RecordingHost & { waits: (ScreenWait | undefined)[] };

export function createWaitingHost(): WaitingHost {
  const waits: (ScreenWait | undefined)[] = [];
  return { ...createRecordingHost(), waits, waiting: (on) => void waits.push(on) };
}

/** The scripted agent in a pane of the runtime; it ends with the test. */
export async function startPane(
  overrides: Partial<Launch> = {},
  flags: string[] = [],
  guise: Guise = "claude",
  times = patientTimes,
) {
  const socket = testSocket();
  const host = createWaitingHost();
  const launch = scriptedPaneLaunch(guise, overrides, ...flags);
  const agent = await createTmuxRuntime({ socket, times, toolsWithinMs: 0 }).start(launch, host);
  onTestFinished(() => agent.stop({ graceMs: 0 }));
  return {
    agent,
    host,
    launch,
    socket,
    ask: (script: string) => agent.prompt(promptOf(script), host.listener),
    keys: (...keys: string[]) => void tmux(socket, "send-keys", "-t", "%0", ...keys),
    screen: () => tmux(socket, "capture-pane", "-p", "-t", "%0"),
  };
}
