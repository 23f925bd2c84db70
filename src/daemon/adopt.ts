import { HubError } from "../model/errors.js";
import { RuntimeError } from "../runtime/runtime.js";
import { attachPane } from "../runtime/tmux/adopt-pane.js";
import { vendorOfCli } from "../runtime/vendors/vendors.js";
import type { HostingPort } from "../surface/ports.js";
import { type OwnerPorts, type PaneOwner, readPaneOwners } from "./pane-owner.js";

/** Finds the pane and what runs in it, and has it hosted as it is. */
export function createAdopt(spawn: HostingPort["spawn"], ports: OwnerPorts): HostingPort["adopt"] {
  return async ({ target, socket, backend, ...who }) => {
    const at = socket === undefined ? {} : { socket };
    const pane = await attachPane({ target, ...at }).catch((error: unknown) => {
      if (!(error instanceof RuntimeError)) throw error;
      const code = error.code === "TARGET_INVALID" ? error.code : "SPAWN_FAILED";
      throw new HubError(code, error.message, { ...error.details, reason: error.code });
    });
    const owner = (await readPaneOwners(ports))(pane);
    if (owner !== undefined) throw taken(pane.id, owner);
    const runsOn = backend ?? vendorOfCli(pane.cli).vendor;
    const spawned = await spawn({
      ...who,
      backend: runsOn,
      runtime: "tmux",
      adopted: { target: pane.id, pid: pane.pid, ...at },
    });
    return { ...spawned, pane: pane.id, backend: runsOn };
  };
}

function taken(pane: string, { agent: { name }, by }: PaneOwner): HubError {
  const sentences: Record<PaneOwner["by"], string> = {
    hosted: `Pane ${pane} is that of the agent "${name}" already, which the hub runs`,
    adopted: `Pane ${pane} is that of the agent "${name}" already; huddle kill ${name} lets go of it and leaves the pane`,
    bridge: `The CLI in pane ${pane} is the agent "${name}" already, by its own bridge: write to "${name}". To have its mail typed into the pane instead, start it without the bridge and adopt it then`,
  };
  return new HubError("TARGET_INVALID", sentences[by], { pane, agent: name });
}
