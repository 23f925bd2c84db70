/** The palette of the dark theme; `styles/agent-colors.css` has the light one beside it. */
export const AGENT_COLORS = [
  { name: "purple", border: "#9966cc", bg: "#2a2535", text: "#b08adb" },
  { name: "teal", border: "#2aa198", bg: "#1e2e2d", text: "#5ac4bc" },
  { name: "orange", border: "#e69500", bg: "#2e2618", text: "#f0ad4e" },
  { name: "rose", border: "#d33682", bg: "#2e1e28", text: "#e05a9e" },
  { name: "lime", border: "#85c025", bg: "#222e18", text: "#a0d44a" },
  { name: "coral", border: "#ff6b6b", bg: "#2e1e1e", text: "#ff8a8a" },
] as const;

export type AgentColor = (typeof AGENT_COLORS)[number];

export function getAgentColor(agentName: string): AgentColor {
  let hash = 0;
  for (const ch of agentName) hash = ((hash << 5) - hash + ch.charCodeAt(0)) | 0;
  return AGENT_COLORS[Math.abs(hash) % AGENT_COLORS.length] ?? AGENT_COLORS[0];
}

/** What sets `--agent-border`, `--agent-bg` and `--agent-text` for an element and all in it. */
export function agentColorProps(agentName: string): { "data-agent-color": AgentColor["name"] } {
  return { "data-agent-color": getAgentColor(agentName).name };
}

/** First letters of the first two parts of a name, else its first two: `checkout-lead` is CL, `reviewer` RE. */
export function monogramOf(agentName: string): string {
  const [first = "", second = ""] = agentName.replace(/^.*\//, "").split(/[-_]+/).filter(Boolean);
  return (second === "" ? first.slice(0, 2) : first.slice(0, 1) + second.slice(0, 1)).toUpperCase();
}
