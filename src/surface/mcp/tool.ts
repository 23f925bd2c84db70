import { z } from "zod";
import type { Annotations, ToolContract } from "../../contract/mcp/tool.js";
import { decode } from "../../decoding/decode.js";
import type { AgentId } from "../../model/agent.js";
import type { MessageId } from "../../model/message.js";
import type { Caller } from "../caller/auth.js";
import type { HubPorts } from "../ports.js";

/** One call of a tool: who calls, and by what. */
export type ToolCall = {
  ports: HubPorts;
  caller: Caller;
  /** The inbox and the sender that the caller stands for. */
  me: AgentId;
  signal: AbortSignal;
  /** The same for a call that is made again after a lost answer, so that it sends once; else undefined. */
  id: MessageId | undefined;
  /** This call is made again, or is the first of its connection: what was handed out a moment ago may not have arrived. */
  rereads: boolean;
  /** How long this client's calls may take. */
  longestMs: number;
  /** For how long its program has waited for it already, when it is made again. */
  waitedMs: number;
  /** These messages are in the answer. */
  handedOut(seqs: readonly number[]): void;
  /** Tells the client that the call goes on, if it asked to be told. */
  progress(seconds: number, of: number): void;
};

/** How long a call that asked to wait for so many seconds may go on, and what ends it sooner. */
export function waitOf({ ports, signal, longestMs, waitedMs }: ToolCall, seconds: number) {
  const granted = Math.min(seconds * 1000, ports.limits.waitMaxMs, longestMs);
  return { waitMs: Math.max(0, granted - waitedMs), signal };
}

export type Tool = {
  name: string;
  /** `{session}` stands for the caller's own session id. */
  description: string;
  inputSchema: { type: "object" } & Record<string, unknown>;
  annotations: Annotations;
  isFor(caller: Caller, ports: HubPorts): boolean;
  /** Fields that stand beside `error` and `code` when it is refused. */
  onError: Record<string, unknown>;
  run(input: unknown, call: ToolCall): Promise<object>;
};

type ToolPart<C extends ToolContract> = {
  /** Who is offered it; default: everybody. A tool whose part of the hub is missing is offered to nobody. */
  isFor?: (caller: Caller, ports: HubPorts) => boolean;
  onError?: Record<string, unknown>;
  run(input: z.output<C["input"]>, call: ToolCall): object | Promise<object>;
};

/** Joins a tool's contract to what it does. */
export function defineTool<C extends ToolContract>(contract: C, part: ToolPart<C>): Tool {
  const { name, description, annotations, input } = contract;
  const { isFor = () => true, onError = {} } = part;
  return {
    name,
    description,
    annotations,
    isFor,
    onError,
    inputSchema: jsonSchema(input),
    run: async (args, call) => part.run(decode<C["input"]>(input, args, "arguments"), call),
  };
}

export const objectSchema = z.looseObject({ type: z.literal("object") });

/**
 * Without what every client takes for granted, and without bounds that no model comes near: the hub holds to them anyway, and each byte
 * is paid for in the context of every agent.
 */
function jsonSchema(input: z.ZodObject): Tool["inputSchema"] {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: "input",
    override({ jsonSchema: part }) {
      delete part.minLength;
      delete part.maxItems;
      delete part.maxLength;
      delete part.pattern;
      delete part.exclusiveMinimum;
      if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
    },
  });
  return objectSchema.parse(schema);
}
