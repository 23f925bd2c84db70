import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  type Conversation,
  groupMessages,
  type OfferedTool,
  type ReplyPart,
  type ShownMessage,
} from "./conversation.js";
import { createResponsesStream } from "./responses-stream.js";
import { joinText, tokens, type Wire } from "./wire.js";

/* OpenAI Responses: POST /v1/responses */

const content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]);
const item = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: content.nullish(),
  name: z.string().optional(),
  call_id: z.string().nullish(),
  output: z.unknown().optional(),
});
const tool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  parameters: z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }).nullish(),
});
const request = z.looseObject({
  model: z.string(),
  stream: z.boolean().nullish(),
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(item)]),
  tools: z.array(z.looseObject({ ...tool.shape, tools: z.array(tool).optional() })).nullish(),
  text: z.looseObject({ format: z.looseObject({ schema: z.unknown().optional() }).nullish() }).nullish(),
});

type Item = z.infer<typeof item>;
type Tool = z.infer<typeof tool>;

export const responsesWire: Wire = {
  api: "responses",
  decode(body): Conversation {
    const { model, stream, instructions, input, tools, text } = request.parse(body);
    const items: Item[] = typeof input === "string" ? [{ role: "user", content: input }] : input;
    const schema = text?.format?.schema;
    return {
      system: [instructions ?? "", ...items.filter(isSystem).map((one) => textOf(one.content))].join("\n"),
      messages: groupMessages(items.flatMap(toMessage)),
      tools: (tools ?? []).flatMap((offered) =>
        offered.tools === undefined
          ? toTool(offered)
          : offered.tools.flatMap((inner) => toTool(inner, offered.name)),
      ),
      model,
      stream: stream === true,
      ...(schema === undefined ? {} : { schema }),
    };
  },
  whole: (parts, model) => ({
    ...responseHead(model),
    status: "completed",
    output: joinText(parts).map(toItem),
    usage,
  }),
  stream: (model, send) => createResponsesStream(responseHead(model), usage, toItem, send),
  error: (status, message) => ({
    error: {
      message,
      type: status < 500 ? "invalid_request_error" : "server_error",
      code: null,
      param: null,
    },
  }),
  limit: (resetsAt) => ({
    status: 429,
    headers: {},
    body: {
      error: {
        type: "usage_limit_reached",
        message: "The usage limit has been reached",
        plan_type: "plus",
        resets_at: Math.round(resetsAt.getTime() / 1000),
      },
    },
  }),
};

const usage = {
  input_tokens: tokens.input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: tokens.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: tokens.input + tokens.output,
};

function isSystem({ role }: Item): boolean {
  return role === "system" || role === "developer";
}

function textOf(value: Item["content"]): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : value.map(({ text }) => text ?? "").join("\n");
}

function toMessage(one: Item): ShownMessage[] {
  const { type = "message", role, name = "", call_id } = one;
  const id = call_id ?? "";
  if (type === "function_call" || type === "custom_tool_call" || type === "local_shell_call")
    return [{ role: "assistant", text: "", calls: [{ id, name }] }];
  if (type.endsWith("_call_output"))
    return [{ role: "user", texts: [], results: [{ id, text: outputText(one.output) }] }];
  if (type !== "message" || isSystem(one)) return [];
  if (role === "assistant") return [{ role: "assistant", text: textOf(one.content), calls: [] }];
  const { content: value } = one;
  const texts = Array.isArray(value) ? value.map(({ text }) => text ?? "") : [textOf(value)];
  return [{ role: "user", texts, results: [] }];
}

function outputText(output: unknown): string {
  const known = content.safeParse(output);
  return known.success ? textOf(known.data) : JSON.stringify(output);
}

function toTool({ type, name, parameters }: Tool, group?: string): OfferedTool[] {
  if (name === undefined || !["function", "custom"].includes(type)) return [];
  return [
    {
      name,
      ...(group === undefined ? {} : { group }),
      ...(type === "custom" ? { freeform: true } : {}),
      properties: Object.keys(parameters?.properties ?? {}),
    },
  ];
}

function toItem(part: ReplyPart): Record<string, unknown> {
  switch (part.kind) {
    case "text":
      return {
        type: "message",
        id: `msg_${randomUUID()}`,
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: part.text, annotations: [] }],
      };
    case "thought":
      return {
        type: "reasoning",
        id: `rs_${randomUUID()}`,
        summary: [{ type: "summary_text", text: part.text }],
      };
    case "call": {
      const { tool: offered, id: call_id } = part;
      const common = { call_id, name: offered.name, status: "completed" };
      if (offered.freeform === true)
        return { type: "custom_tool_call", id: `ctc_${randomUUID()}`, ...common, input: part.input ?? "" };
      return {
        type: "function_call",
        id: `fc_${randomUUID()}`,
        ...common,
        ...(offered.group === undefined ? {} : { namespace: offered.group }),
        arguments: JSON.stringify(part.args),
      };
    }
  }
}

function responseHead(model: string) {
  return {
    id: `resp_${randomUUID()}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status: "in_progress",
    model,
    output: [],
    parallel_tool_calls: true,
    error: null,
    incomplete_details: null,
  };
}
