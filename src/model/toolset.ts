/** The vocabularies of tools that an agent can have. Its role may allow fewer of a set. */
export const toolsetNames = ["huddle", "agent", "orchestrator", "tabs", "sessions"] as const;
export type ToolsetName = (typeof toolsetNames)[number];

/** What the hub's own words to a model have to know of the set that it has. */
type ToolsetTraits = {
  /** The tool that writes to another agent. */
  writes: string;
  /** It has `list_agents`. */
  lists: boolean;
  /** It has `spawn_agent`. */
  spawns: boolean;
  /** It has `claim_request`. */
  claims: boolean;
  /** It has `get_obligations`. */
  obligations: boolean;
  /** Its words name agents by the ids of their sessions. */
  bySession: boolean;
};

const own: ToolsetTraits = {
  writes: "send_message",
  lists: true,
  spawns: false,
  claims: true,
  obligations: false,
  bySession: false,
};

export const toolsetTraits: Readonly<Record<ToolsetName, ToolsetTraits>> = {
  huddle: { ...own, spawns: true, obligations: true },
  agent: own,
  orchestrator: { ...own, obligations: true },
  tabs: { ...own, writes: "send_to_agent", spawns: true, claims: false },
  sessions: { ...own, writes: "send_agent_message", lists: false, claims: false, bySession: true },
};
