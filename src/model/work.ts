import type { AgentId } from "./agent.js";

/** "I am on it": who works on a task, until when (hub time) unless renewed. */
export type WorkClaim = { task: string; owner: AgentId; ownerName: string; until: number };
