/** The methods of MCP that only look at a server: whoever asks needs to be nobody for them. */
export const MCP_LOOKS: ReadonlySet<string> = new Set([
  "initialize",
  "server/discover",
  "ping",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
]);
