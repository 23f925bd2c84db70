import type { ExecuteCommand } from "../hub/deciders.js";
import type { Agent, AgentId } from "../model/agent.js";
import type { AdoptedPane } from "../model/hosting.js";
import type { Spawned } from "../model/spawn-request.js";
import type { Backend } from "../runtime/backend.js";
import { findBackend } from "../runtime/backends/find-backend.js";
import { failure, type OutcomePorts, watchOutcomes } from "./spawn-outcomes.js";

type AdoptPorts = OutcomePorts & { execute: ExecuteCommand; backends: ReadonlyMap<string, Backend> };

type AdoptRequest = { by: AgentId; agent: Agent; backend: string; pane: AdoptedPane };

export type AdoptAttached = (request: AdoptRequest) => Promise<Spawned>;

/** Has an agent that a person started reached in its pane, and waits for a while to see whether it is. */
export function createAdoptAttached(ports: AdoptPorts): AdoptAttached {
  return async ({ by, agent: { id, name, project }, pane, ...wanted }) => {
    const { name: backend, permissions } = findBackend(ports.backends, wanted.backend);
    const watch = watchOutcomes(ports);
    try {
      await ports.execute("adoptPane", { by, agent: id, pane, backend, permissions });
      const outcome = await watch.of(id);
      if (outcome?.kind === "failed") throw failure(outcome, name);
      const words = outcome?.kind === "waiting" ? { words: outcome.words } : {};
      return { id, name, project, state: outcome?.kind ?? "starting", runtime: "tmux", ...words };
    } finally {
      watch.end();
    }
  };
}
