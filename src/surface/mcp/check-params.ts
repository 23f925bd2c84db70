import { specTypeSchemas } from "@modelcontextprotocol/server";
import { isObject, type RpcBody } from "./rpc-body.js";

/* The protocol's own server takes what its schemas refuse for a failure of its own (-32603), so they are asked beforehand. */

const requestTypes = {
  initialize: "InitializeRequest",
  ping: "PingRequest",
  "tools/list": "ListToolsRequest",
  "tools/call": "CallToolRequest",
  "prompts/list": "ListPromptsRequest",
  "prompts/get": "GetPromptRequest",
  "resources/list": "ListResourcesRequest",
  "resources/templates/list": "ListResourceTemplatesRequest",
  "resources/read": "ReadResourceRequest",
} as const;

type ParamsProblem = { field: string; problem: string };

/**
 * What is wrong about a request, by the protocol's definition of its method. Of a method that is not known, and of parameters
 * that are no object at all, the protocol's own server says so.
 */
export function checkParams({ message, method }: RpcBody): ParamsProblem[] {
  const { params = {} } = message;
  if (!isKnown(method) || !isObject(params)) return [];
  const { issues = [] } = specTypeSchemas[requestTypes[method]]["~standard"].validate(message);
  return issues.map((issue) => {
    const field =
      (issue.path ?? [])
        .map(String)
        .join(".")
        .replace(/^params\./, "") || "params";
    return { field, problem: `${field}: ${issue.message}` };
  });
}

function isKnown(method: string): method is keyof typeof requestTypes {
  return Object.hasOwn(requestTypes, method);
}
