import { isId, isObject, type Json } from "./json.js";
import type { Output } from "./output.js";

/** The hub hosts this CLI and wired a connection of its own into it: this one must not become a second identity. */
export function standAside(message: unknown, output: Output): void {
  const { id, method, params } = isObject(message) ? message : {};
  if (!isId(id) || typeof method !== "string") return;
  const wanted = isObject(params) ? params["protocolVersion"] : undefined;
  const results = new Map<string, Json>([
    [
      "initialize",
      {
        protocolVersion: typeof wanted === "string" ? wanted : "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "huddle", version: "0.1.0" },
        instructions:
          "Huddle started this session and has connected it already. This second connection stands aside: it has no tools.",
      },
    ],
    ["tools/list", { tools: [] }],
    ["ping", {}],
  ]);
  const result = results.get(method);
  if (result !== undefined) output.answer(id, { result });
  else
    output.refuse(id, -32601, `${method} is not served: Huddle hosts this session over another connection`);
}
