import type { Answer, Caller } from "./http-call.js";
import { type RawResult, type ToolAnswer, toolAnswer } from "./tool-answer.js";

/** What a stdio bridge does on the wire, without a program behind it: numbered requests, and reports of what was written. */
export type FakeBridge = {
  /** Sends one request and, when the answer is there, counts it as written. */
  tool(name: string, args?: object, options?: BridgeCall): Promise<ToolAnswer>;
  send(method: string, params: object, options?: BridgeCall): Promise<Answer>;
};

type BridgeCall = {
  /** The number of an earlier request, which is made again. */
  again?: number;
  /** The answer arrives and is not handed on. */
  unwritten?: boolean;
  signal?: AbortSignal;
  headers?: Record<string, string>;
};

export function openBridge(http: Caller, token: string, instance: string, set = "huddle"): FakeBridge {
  let n = 0;
  let written = 0;
  async function send(method: string, params: object, options: BridgeCall = {}): Promise<Answer> {
    const number = options.again ?? ++n;
    const reported = written;
    written = 0;
    const answer = await http.call("POST", `/mcp?tools=${set}`, {
      token,
      body: { jsonrpc: "2.0", id: number, method, params },
      headers: {
        accept: "application/json, text/event-stream",
        "huddle-call": `${instance}:${number}`,
        "huddle-written": String(reported),
        ...options.headers,
      },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    if (options.unwritten !== true) written++;
    return answer;
  }
  return {
    send,
    async tool(name, args = {}, options) {
      const { json, text } = await send("tools/call", { name, arguments: args }, options);
      if (json["result"] === undefined) throw new Error(text);
      return toolAnswer(json["result"] as RawResult);
    },
  };
}
