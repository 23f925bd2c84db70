import { HubError } from "../model/errors.js";
import { RuntimeError } from "../runtime/runtime.js";
import { attachPane } from "../runtime/tmux/adopt-pane.js";
import type { HostingPort } from "../surface/ports.js";

/** Finds the pane and what runs in it, and has it hosted as it is. */
export function createAdopt(spawn: HostingPort["spawn"]): HostingPort["adopt"] {
  return async ({ target, socket, backend, ...who }) => {
    const at = socket === undefined ? {} : { socket };
    const pane = await attachPane({ target, ...at }).catch((error: unknown) => {
      if (!(error instanceof RuntimeError)) throw error;
      const code = error.code === "TARGET_INVALID" ? error.code : "SPAWN_FAILED";
      throw new HubError(code, error.message, { ...error.details, reason: error.code });
    });
    const runsOn = backend ?? (pane.cli === "claude" ? "claude-code" : pane.cli);
    const spawned = await spawn({
      ...who,
      backend: runsOn,
      runtime: "tmux",
      adopted: { target: pane.id, ...at },
    });
    return { ...spawned, pane: pane.id, backend: runsOn };
  };
}
