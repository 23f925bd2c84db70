import type { AgentId } from "./agent.js";

/** Ends of agents that are asked for. */
export type StopAgents = {
  /** True once a hosted agent is draining, or an attached one was handed the word within `waitMs`. */
  shutdown(asked: {
    agent: AgentId;
    by: AgentId;
    reason?: string | undefined;
    waitMs: number;
  }): Promise<{ acknowledged: boolean }>;
  /** True once nothing of it is left that the hub runs. `let_go`: it has a bridge of its own, and is an agent all the same. */
  kill(asked: { agent: AgentId; by: AgentId; waitMs: number }): Promise<{ killed: boolean; let_go?: true }>;
};
