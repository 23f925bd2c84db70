import { z } from "zod";
import type { AgentId } from "../../model/agent.js";
import type { MessageId } from "../../model/message.js";
import type { Caller } from "../caller/auth.js";
import { decode } from "../decoding/decode.js";
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

/** What a tool does to the world, for clients that ask the person before some calls. */
export type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

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

type ToolSpec<S extends z.ZodObject> = {
  name: string;
  description: string;
  input: S;
  annotations: Annotations;
  /** Who is offered it; default: everybody. A tool whose part of the hub is missing is offered to nobody. */
  isFor?: (caller: Caller, ports: HubPorts) => boolean;
  onError?: Record<string, unknown>;
  run(input: z.output<S>, call: ToolCall): object | Promise<object>;
};

export function defineTool<S extends z.ZodObject>(spec: ToolSpec<S>): Tool {
  const { name, description, annotations, input, isFor = () => true, onError = {} } = spec;
  return {
    name,
    description,
    annotations,
    isFor,
    onError,
    inputSchema: jsonSchema(input),
    run: async (args, call) => spec.run(decode(input, args, "arguments"), call),
  };
}

const objectSchema = z.looseObject({ type: z.literal("object") });

/** Without what every client takes for granted: each byte is paid for in the context of every agent. */
function jsonSchema(input: z.ZodObject): Tool["inputSchema"] {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return objectSchema.parse(schema);
}

/** It looks and changes nothing, but the record of what was handed out. */
export const reads: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** It adds something, each time that it is called. */
export const adds: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** It changes something; calling it again changes nothing more. */
export const sets: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
