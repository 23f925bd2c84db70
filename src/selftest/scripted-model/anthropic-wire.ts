import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Conversation, ReplyPart, ShownMessage } from "./conversation.js";
import { joinText, type SendEvent, type StreamWriter, tokens, type Wire } from "./wire.js";

/* Anthropic Messages: POST /v1/messages */

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
});
const content = z.union([z.string(), z.array(block)]);
const request = z.looseObject({
  model: z.string(),
  max_tokens: z.number(),
  stream: z.boolean().optional(),
  system: content.optional(),
  messages: z.array(z.looseObject({ role: z.enum(["user", "assistant", "system"]), content })),
  tools: z
    .array(
      z.looseObject({
        name: z.string(),
        input_schema: z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }).optional(),
      }),
    )
    .optional(),
  output_config: z.looseObject({ format: z.looseObject({ schema: z.unknown() }).nullish() }).optional(),
});

type Content = z.infer<typeof content>;

export const anthropicWire: Wire = {
  api: "anthropic",
  decode(body): Conversation {
    const { model, stream, system, messages, tools, output_config } = request.parse(body);
    const schema = output_config?.format?.schema;
    return {
      system: textOf(system ?? ""),
      messages: messages.map(({ role, content }) => toMessage(role, content)),
      tools: (tools ?? []).map(({ name, input_schema }) => ({
        name,
        properties: Object.keys(input_schema?.properties ?? {}),
      })),
      model,
      stream: stream === true,
      ...(schema === undefined ? {} : { schema }),
    };
  },
  whole: (parts, model) => {
    const blocks = joinText(parts).map(toBlock);
    return { ...emptyMessage(model), content: blocks, stop_reason: stopReason(blocks), usage };
  },
  stream: createStream,
  error: (status, message) => ({
    type: "error",
    error: {
      type: status === 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "api_error",
      message,
    },
  }),
  limit(resetsAt) {
    const reset = String(Math.round(resetsAt.getTime() / 1000));
    return {
      status: 429,
      headers: {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-reset": reset,
        "anthropic-ratelimit-unified-representative-claim": "five_hour",
        "anthropic-ratelimit-unified-5h-status": "rejected",
        "anthropic-ratelimit-unified-5h-reset": reset,
        "anthropic-ratelimit-unified-overage-status": "rejected",
        "x-should-retry": "false",
      },
      body: {
        type: "error",
        error: { type: "rate_limit_error", message: "This request would exceed your account's rate limit." },
      },
    };
  },
};

const usage = { input_tokens: tokens.input, output_tokens: tokens.output };

function toMessage(role: string, content: Content): ShownMessage {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const texts = blocks.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []));
  if (role === "assistant") {
    const uses = blocks.filter(({ type }) => type === "tool_use");
    return {
      role: "assistant",
      text: texts.join(""),
      calls: uses.map((use) => ({ id: use.id ?? "", name: use.name ?? "" })),
    };
  }
  const results = blocks.filter(({ type }) => type === "tool_result");
  return {
    role: "user",
    // A message of the system among the others is a remark, not the user's words.
    texts: role === "system" ? texts.map((text) => `<system-reminder>${text}</system-reminder>`) : texts,
    results: results.map((result) => ({
      id: result.tool_use_id ?? "",
      text: textOf(content_(result.content)),
    })),
  };
}

function content_(value: unknown): Content {
  return content.catch("").parse(value);
}

function textOf(value: Content): string {
  return typeof value === "string" ? value : value.map(({ text }) => text ?? "").join("\n");
}

function toBlock(part: ReplyPart) {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text };
    case "thought":
      return { type: "thinking", thinking: part.text, signature: "c2NyaXB0ZWQ=" };
    case "call":
      return { type: "tool_use", id: part.id, name: part.tool.name, input: part.args };
  }
}

function stopReason(blocks: readonly { type: string }[]): string {
  return blocks.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
}

function emptyMessage(model: string) {
  return {
    id: `msg_${randomUUID()}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  };
}

function createStream(model: string, send: SendEvent): StreamWriter {
  const blocks: { type: string }[] = [];
  let open: string | undefined;
  const index = () => blocks.length - 1;
  const emit = (type: string, fields: object) => send({ type, ...fields }, type);

  function close() {
    if (open === "thinking")
      emit("content_block_delta", {
        index: index(),
        delta: { type: "signature_delta", signature: "c2NyaXB0ZWQ=" },
      });
    if (open !== undefined) emit("content_block_stop", { index: index() });
    open = undefined;
  }
  function ensure(type: string, content_block: object) {
    if (open === type && type !== "tool_use") return;
    close();
    blocks.push({ type });
    open = type;
    emit("content_block_start", { index: index(), content_block: { type, ...content_block } });
  }
  const delta = (value: object) => emit("content_block_delta", { index: index(), delta: value });

  return {
    begin: () => emit("message_start", { message: emptyMessage(model) }),
    part(part) {
      switch (part.kind) {
        case "text":
          ensure("text", { text: "" });
          delta({ type: "text_delta", text: part.text });
          break;
        case "thought":
          ensure("thinking", { thinking: "", signature: "" });
          delta({ type: "thinking_delta", thinking: part.text });
          break;
        case "call":
          ensure("tool_use", { id: part.id, name: part.tool.name, input: {} });
          delta({ type: "input_json_delta", partial_json: JSON.stringify(part.args) });
          break;
      }
    },
    end() {
      close();
      emit("message_delta", { delta: { stop_reason: stopReason(blocks), stop_sequence: null }, usage });
      emit("message_stop", {});
    },
  };
}
