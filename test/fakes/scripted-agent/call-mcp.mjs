/** @typedef {{ command: string, args: readonly string[] }} Server */

/**
 * Calls a tool of an MCP server that is started for it.
 * @param {Server | undefined} server
 * @param {string} name
 * @param {unknown} input
 * @returns {Promise<string>} the text of the result
 */
export async function callMcpTool(server, name, input) {
  if (server === undefined) return "no MCP server";
  const { call, close } = await openMcpServer(server);
  try {
    return await call(name, input);
  } finally {
    await close();
  }
}

/**
 * Starts an MCP server and keeps it, as a CLI does.
 * @param {Server} server
 */
export async function openMcpServer(server) {
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = new Client({ name: "scripted-agent", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: server.command, args: [...server.args], stderr: "inherit" }),
  );
  return {
    /** @param {string} name @param {unknown} input */
    async call(name, input) {
      const result = await client.callTool({
        name,
        arguments: /** @type {Record<string, unknown>} */ (input),
      });
      const [first] = /** @type {{ text?: string }[]} */ (result.content);
      return first?.text ?? "";
    },
    async list() {
      return (await client.listTools()).tools.map(({ name, inputSchema }) => ({ name, inputSchema }));
    },
    close: () => client.close(),
  };
}
