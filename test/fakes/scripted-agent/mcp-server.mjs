// A small MCP server over stdio: `whoami` says which arguments it was started with, `slow` answers after its caller went.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(() => {
  const server = new McpServer({ name: "scripted", version: "1" });
  server.registerTool("whoami", { description: "Says who was started." }, () => ({
    content: [{ type: "text", text: `I am ${process.argv.slice(2).join(" ")}` }],
  }));
  return server;
});
