import type { AdoptAttached } from "../delivery/adopt-attached.js";
import { HubError } from "../model/errors.js";
import { RuntimeError } from "../runtime/runtime.js";
import { attachPane } from "../runtime/tmux/adopt-pane.js";
import { vendorOfCli } from "../runtime/vendors/vendors.js";
import type { HostingPort } from "../surface/ports.js";
import { type OwnerPorts, type PaneOwner, readPaneOwners } from "./pane-owner.js";

type AdoptPorts = OwnerPorts & { spawn: HostingPort["spawn"]; adoptAttached: AdoptAttached };

/**
 * Finds the pane and what runs in it, and has it hosted as it is. What is an agent already, by a bridge of its own, stays the one
 * that it is.
 */
export function createAdopt({ spawn, adoptAttached, ...ports }: AdoptPorts): HostingPort["adopt"] {
  return async ({ target, socket, backend, ...who }) => {
    const at = socket === undefined ? {} : { socket };
    const pane = await attachPane({ target, ...at }).catch((error: unknown) => {
      if (!(error instanceof RuntimeError)) throw error;
      const code = error.code === "TARGET_INVALID" ? error.code : "SPAWN_FAILED";
      throw new HubError(code, error.message, { ...error.details, reason: error.code });
    });
    const owner = (await readPaneOwners(ports))(pane);
    const runsOn = backend ?? vendorOfCli(pane.cli).vendor;
    const adopted = { target: pane.id, pid: pane.pid, ...at };
    const found = { pane: pane.id, backend: runsOn };
    if (owner?.by === "bridge") {
      const { agent } = owner;
      const joined = await adoptAttached({ by: who.by, agent, backend: runsOn, pane: adopted });
      return { ...joined, ...found, bridged: true };
    }
    if (owner !== undefined) throw taken(pane.id, owner);
    return { ...(await spawn({ ...who, backend: runsOn, runtime: "tmux", adopted })), ...found };
  };
}

function taken(pane: string, { agent: { name }, by }: PaneOwner): HubError {
  const how =
    by === "hosted" ? ", which the hub runs" : `; huddle kill ${name} lets go of it and leaves the pane`;
  const sentence = `Pane ${pane} is that of the agent "${name}" already${how}`;
  return new HubError("TARGET_INVALID", sentence, { pane, agent: name });
}
