import { addressOf, teamOf } from "../hub/rules/address-of.js";
import { HUMAN_ID } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import { runtimeKinds } from "../model/hosting.js";
import { paneNameHint } from "../model/pane-target.js";
import { RuntimeError } from "../runtime/runtime.js";
import { attachPane } from "../runtime/tmux/adopt-pane.js";
import { readSessionName } from "../runtime/tmux/session-name.js";
import { createTmuxClient, type PaneInfo, type TmuxClient } from "../runtime/tmux/tmux-client.js";
import { vendorOfCli } from "../runtime/vendors/vendors.js";
import type { AgentPane, HostingPort } from "../surface/ports.js";
import { type OwnerPorts, type PaneOwner, readPaneOwners } from "./pane-owner.js";

/** The sessions that are called as agents' are, whose they are, and whether they could be adopted. Touches nothing. */
export function createListPanes(ports: OwnerPorts): HostingPort["panes"] {
  const nameOf = (owner: PaneOwner) => addressOf(ports.views, owner.agent, teamOf(ports.views, HUMAN_ID));

  return async ({ socket }) => {
    const tmux = createTmuxClient(socket === undefined ? {} : { socket });
    const panes = await tmux.listSessionPanes("agent-").catch(refuse);
    if (panes.length === 0) return [];
    const ownerOf = await readPaneOwners(ports);
    return Promise.all(
      panes.map((pane) => {
        const owner = ownerOf(pane);
        const bridged = owner?.by === "bridge" ? { bridged: true as const } : {};
        return describePane(pane, owner && { agent: nameOf(owner), ...bridged }, tmux);
      }),
    );
  };
}

async function describePane(
  { session, id, pid }: PaneInfo,
  owner: { agent: string; bridged?: true } | undefined,
  tmux: TmuxClient,
): Promise<AgentPane> {
  const named = readSessionName(session);
  const known = { session, pane: id, ...named };
  if (owner !== undefined) return { ...known, ...owner };
  if (named === undefined) return { ...known, problem: `the name cannot be an agent's: ${paneNameHint}` };
  try {
    const { cli } = await attachPane({ target: id, pid }, { tmux });
    return { ...known, backend: vendorOfCli(cli).vendor };
  } catch (error) {
    if (error instanceof RuntimeError) return { ...known, problem: error.message };
    throw error;
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof RuntimeError)) throw error;
  if (error.code !== "BACKEND_MISSING") throw new HubError("SPAWN_FAILED", error.message, error.details);
  throw new HubError("RUNTIME_UNAVAILABLE", error.message, {
    available: runtimeKinds.filter((kind) => kind !== "tmux"),
  });
}
