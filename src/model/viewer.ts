import type { AgentId, AgentRole } from "./agent.js";

/** Whoever reads events or mail: the person sees all, an agent what is its own business. */
export type Viewer = { kind: "operator" } | { kind: "agent"; id: AgentId; role: AgentRole };
