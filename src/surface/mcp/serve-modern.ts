import { createMcpHandler } from "@modelcontextprotocol/server";
import { writeResponse } from "../answers/write-response.js";
import { answerToolCall, calledTool } from "./answer-tool-call.js";
import { createServer } from "./create-server.js";
import type { Served } from "./served.js";

/** Clients of 2026: the protocol's own entry checks headers and envelope, then asks for a server for that one request. */
export function createServeModern(onerror: (error: Error) => void): (served: Served) => Promise<void> {
  const asked = new WeakMap<Request, Served>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const served = requestInfo && asked.get(requestInfo);
      if (served === undefined) throw new Error("a request came by another way than ours");
      return createServer(served);
    },
    { legacy: "reject", onerror },
  );
  return async (served) => {
    const { incoming, outgoing, signal, body } = served;
    const tool = calledTool(served);
    if (tool !== undefined && body.id !== undefined) return answerToolCall(served, tool, body.id);
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) {
      if (typeof value === "string") headers.set(name, value);
    }
    const request = new Request("http://hub/mcp", { method: "POST", headers, signal });
    asked.set(request, served);
    const response = await handler.fetch(request, { parsedBody: body.message });
    if (response.headers.get("content-type") !== "application/json") return writeResponse(outgoing, response);
    const json = await response.text();
    response.headers.set("content-length", String(Buffer.byteLength(json)));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(json);
  };
}
