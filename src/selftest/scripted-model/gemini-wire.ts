import { z } from "zod";
import type { Conversation, ReplyPart, ShownMessage } from "./conversation.js";
import { joinText, type SendEvent, type StreamWriter, tokens, type Wire } from "./wire.js";

/* Gemini: POST /v1beta/models/NAME:generateContent and :streamGenerateContent?alt=sse */

const part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z.looseObject({ id: z.string().optional(), name: z.string() }).optional(),
  functionResponse: z
    .looseObject({ id: z.string().optional(), name: z.string(), response: z.unknown() })
    .optional(),
});
const content = z.looseObject({ role: z.string().optional(), parts: z.array(part).default([]) });
const schema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });
const request = z.looseObject({
  contents: z.array(content),
  systemInstruction: content.optional(),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z
          .array(
            z.looseObject({
              name: z.string(),
              parametersJsonSchema: schema.optional(),
              parameters: schema.optional(),
            }),
          )
          .optional(),
      }),
    )
    .optional(),
  generationConfig: z
    .looseObject({ responseJsonSchema: z.unknown().optional(), responseSchema: z.unknown().optional() })
    .optional(),
});

type Content = z.infer<typeof content>;

export const geminiWire: Wire = {
  api: "gemini",
  decode(body, path): Conversation {
    const { contents, systemInstruction, tools, generationConfig } = request.parse(body);
    const wanted = generationConfig?.responseJsonSchema ?? generationConfig?.responseSchema;
    return {
      system: (systemInstruction?.parts ?? []).map(({ text }) => text ?? "").join("\n"),
      messages: contents.map(toMessage),
      tools: (tools ?? []).flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name, parametersJsonSchema, parameters }) => ({
          name,
          properties: Object.keys((parametersJsonSchema ?? parameters)?.properties ?? {}),
        })),
      ),
      model: /models\/([^:]+)/.exec(path)?.[1] ?? "",
      stream: path.includes(":streamGenerateContent"),
      ...(wanted === undefined ? {} : { schema: wanted }),
    };
  },
  whole: (parts, model) => response(joinText(parts).map(toPart), model, "STOP"),
  stream: createStream,
  error: (status, message) => ({
    error: { code: status, message, status: status < 500 ? "INVALID_ARGUMENT" : "INTERNAL" },
  }),
  limit(resetsAt) {
    const seconds = Math.max(1, Math.round((resetsAt.getTime() - Date.now()) / 1000));
    return {
      status: 429,
      headers: {},
      body: {
        error: {
          code: 429,
          message: `You exceeded your current quota, please check your plan and billing details. Please retry in ${seconds}s.`,
          status: "RESOURCE_EXHAUSTED",
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.QuotaFailure",
              violations: [
                {
                  quotaMetric: "generativelanguage.googleapis.com/generate_content_free_tier_requests",
                  quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
                  quotaValue: "50",
                },
              ],
            },
            { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` },
          ],
        },
      },
    };
  },
};

function toMessage({ role, parts }: Content): ShownMessage {
  const texts = parts.flatMap(({ text, thought }) => (text === undefined || thought === true ? [] : [text]));
  if (role === "model") {
    const calls = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]));
    return {
      role: "assistant",
      text: texts.join(""),
      calls: calls.map(({ id, name }) => ({ id: id ?? name, name })),
    };
  }
  return {
    role: "user",
    texts,
    results: parts.flatMap(({ functionResponse: result }) =>
      result === undefined ? [] : [{ id: result.id ?? result.name, text: JSON.stringify(result.response) }],
    ),
  };
}

function toPart(reply: ReplyPart) {
  switch (reply.kind) {
    case "text":
      return { text: reply.text };
    case "thought":
      return { text: reply.text, thought: true };
    case "call":
      return { functionCall: { id: reply.id, name: reply.tool.name, args: reply.args } };
  }
}

function response(parts: readonly object[], model: string, finishReason?: string) {
  return {
    candidates: [
      {
        index: 0,
        content: { role: "model", parts },
        ...(finishReason === undefined ? {} : { finishReason }),
      },
    ],
    usageMetadata: {
      promptTokenCount: tokens.input,
      candidatesTokenCount: tokens.output,
      totalTokenCount: tokens.input + tokens.output,
    },
    modelVersion: model,
  };
}

function createStream(model: string, send: SendEvent): StreamWriter {
  return {
    begin: () => {},
    part: (reply) => send(response([toPart(reply)], model)),
    end: () => send(response([{ text: "" }], model, "STOP")),
  };
}
