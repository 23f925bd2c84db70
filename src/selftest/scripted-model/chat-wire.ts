import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Conversation, groupMessages, type ReplyPart, type ShownMessage } from "./conversation.js";
import { joinText, type SendEvent, type StreamWriter, tokens, type Wire } from "./wire.js";

/* OpenAI Chat Completions: POST /v1/chat/completions */

const content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() })), z.null()]);
const request = z.looseObject({
  model: z.string(),
  stream: z.boolean().nullish(),
  messages: z.array(
    z.looseObject({
      role: z.enum(["system", "developer", "user", "assistant", "tool"]),
      content: content.optional(),
      tool_call_id: z.string().optional(),
      tool_calls: z
        .array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string() }) }))
        .nullish(),
    }),
  ),
  tools: z
    .array(
      z.looseObject({
        function: z.looseObject({
          name: z.string(),
          parameters: z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }).optional(),
        }),
      }),
    )
    .nullish(),
  response_format: z
    .looseObject({ json_schema: z.looseObject({ schema: z.unknown() }).optional() })
    .nullish(),
});

type Message = z.infer<typeof request>["messages"][number];

export const chatWire: Wire = {
  api: "chat",
  decode(body): Conversation {
    const { model, stream, messages, tools, response_format } = request.parse(body);
    const schema = response_format?.json_schema?.schema;
    const isSystem = ({ role }: Message) => role === "system" || role === "developer";
    return {
      system: messages.filter(isSystem).map(textOf).join("\n"),
      messages: groupMessages(messages.filter((message) => !isSystem(message)).map(toMessage)),
      tools: (tools ?? []).map(({ function: { name, parameters } }) => ({
        name,
        properties: Object.keys(parameters?.properties ?? {}),
      })),
      model,
      stream: stream === true,
      ...(schema === undefined ? {} : { schema }),
    };
  },
  whole(parts, model) {
    const joined = joinText(parts);
    const calls = joined.flatMap((part) => (part.kind === "call" ? [toCall(part)] : []));
    const text = joined.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("");
    const message = {
      role: "assistant",
      content: text === "" ? null : text,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
    return { ...head("chat.completion", model), choices: [{ index: 0, message, finish_reason }], usage };
  },
  stream: createStream,
  error: (status, message) => ({
    error: { message, type: status < 500 ? "invalid_request_error" : "server_error", code: null },
  }),
  limit(resetsAt) {
    const when = resetsAt.toISOString().slice(0, 19).replace("T", " ");
    const message = `You have exceeded the 5-hour usage quota. It will reset at ${when} +0000 UTC.`;
    const error = { message, type: "TooManyRequests", param: "", code: "AccountQuotaExceeded" };
    return { status: 429, headers: {}, body: { error } };
  },
};

const usage = {
  prompt_tokens: tokens.input,
  completion_tokens: tokens.output,
  total_tokens: tokens.input + tokens.output,
};

function textOf({ content = null }: Message): string {
  if (content === null) return "";
  return typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("\n");
}

function toMessage(message: Message): ShownMessage {
  if (message.role === "assistant") {
    const calls = (message.tool_calls ?? []).map(({ id, function: { name } }) => ({ id, name }));
    return { role: "assistant", text: textOf(message), calls };
  }
  if (message.role === "tool")
    return { role: "user", texts: [], results: [{ id: message.tool_call_id ?? "", text: textOf(message) }] };
  const { content } = message;
  const texts = Array.isArray(content) ? content.map(({ text }) => text ?? "") : [textOf(message)];
  return { role: "user", texts, results: [] };
}

function toCall({ id, tool, args }: ReplyPart & { kind: "call" }) {
  return { id, type: "function", function: { name: tool.name, arguments: JSON.stringify(args) } };
}

function head(object: string, model: string) {
  return { id: `chatcmpl-${randomUUID()}`, object, created: Math.floor(Date.now() / 1000), model };
}

function createStream(model: string, send: SendEvent): StreamWriter {
  const base = head("chat.completion.chunk", model);
  let calls = 0;
  const chunk = (delta: object, finish_reason: string | null = null) =>
    send({ ...base, choices: [{ index: 0, delta, finish_reason }] });
  return {
    begin: () => chunk({ role: "assistant", content: "" }),
    part(part) {
      switch (part.kind) {
        case "text":
          chunk({ content: part.text });
          break;
        case "thought":
          chunk({ reasoning_content: part.text });
          break;
        case "call":
          chunk({ tool_calls: [{ index: calls++, ...toCall(part) }] });
          break;
      }
    },
    end() {
      chunk({}, calls > 0 ? "tool_calls" : "stop");
      send({ ...base, choices: [], usage });
      send("[DONE]");
    },
  };
}
