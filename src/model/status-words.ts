import type { AgentStatus } from "./agent.js";

/** Whose words: those of tabs, of sessions, of the agents' tools, or of peer hubs. */
export const dialects = ["tabs", "sessions", "tools", "peers"] as const;
export type Dialect = (typeof dialects)[number];

/** What a tab can be; the hub's own HTTP answers use these words. */
export const tabWords = ["idle", "streaming", "rate_limited"] as const;

type Words = {
  tabs: (typeof tabWords)[number];
  sessions: "idle" | "streaming" | "error";
  tools: "running" | "idle" | "waiting" | "dead";
  peers: "idle" | "busy" | "offline";
};

const words: { readonly [S in AgentStatus]: Words } = {
  starting: { tabs: "idle", sessions: "idle", tools: "idle", peers: "idle" },
  idle: { tabs: "idle", sessions: "idle", tools: "idle", peers: "idle" },
  busy: { tabs: "streaming", sessions: "streaming", tools: "running", peers: "busy" },
  waiting: { tabs: "streaming", sessions: "streaming", tools: "waiting", peers: "busy" },
  listening: { tabs: "idle", sessions: "idle", tools: "waiting", peers: "idle" },
  rate_limited: { tabs: "rate_limited", sessions: "idle", tools: "idle", peers: "idle" },
  limited: { tabs: "rate_limited", sessions: "idle", tools: "waiting", peers: "busy" },
  stalled: { tabs: "streaming", sessions: "error", tools: "running", peers: "busy" },
  error: { tabs: "idle", sessions: "error", tools: "idle", peers: "offline" },
  dormant: { tabs: "idle", sessions: "idle", tools: "idle", peers: "idle" },
  offline: { tabs: "idle", sessions: "idle", tools: "dead", peers: "offline" },
  dead: { tabs: "idle", sessions: "idle", tools: "dead", peers: "offline" },
};

export type StatusWord<D extends Dialect> = Words[D];

export function statusWord<D extends Dialect>(dialect: D, status: AgentStatus): StatusWord<D> {
  return words[status][dialect];
}
