import { readVersion } from "../client/version.js";
import type { RuntimeKind } from "../model/hosting.js";
import { createAcpRuntime } from "../runtime/acp/acp-runtime.js";
import { createHeadlessRuntime } from "../runtime/headless/headless-runtime.js";
import type { Runtime } from "../runtime/runtime.js";
import { adoptPane } from "../runtime/tmux/adopt-pane.js";
import { cliOfBackend } from "../runtime/tmux/cli-of.js";
import { defaultPaneTimes, type PaneTimes } from "../runtime/tmux/pane.js";
import { createTmuxRuntime } from "../runtime/tmux/tmux-runtime.js";
import type { HubConfig } from "./config-schema.js";

/** Every way in which this hub can run an agent. */
export function createRuntimes(config: HubConfig, socket: string): Record<RuntimeKind, Runtime> {
  const times: PaneTimes = {
    ...defaultPaneTimes,
    timeoutMs: config.tmux.timeout_secs * 1000,
    retryCount: config.tmux.retry_count,
    pollMs: config.tmux.poll_interval_ms,
    readyTimeoutMs: config.tmux.ready_timeout_secs * 1000,
    startTimeoutMs: Math.max(config.hosting.start_within, config.tmux.ready_timeout_secs * 1000),
  };
  const panes = createTmuxRuntime({ socket, times });
  return {
    acp: createAcpRuntime({ version: readVersion(), startTimeoutMs: config.hosting.start_within }),
    headless: createHeadlessRuntime(),
    tmux: {
      kind: "tmux",
      start: (launch, host, signal) =>
        launch.adopt === undefined
          ? panes.start(launch, host, signal)
          : adoptPane({ ...launch.adopt, host, cli: cliOfBackend(launch.backend), times }),
    },
  };
}
