import { z } from "zod";
import {
  createParagraphs,
  createToolLog,
  type HeadlessForm,
  type TurnReader,
  textEvent,
  thoughtEvent,
} from "../../headless/headless-form.js";
import { allowances } from "./allowances.js";

export const headlessForm: HeadlessForm = {
  args: ({ backend, model }, { session, isNew, wired }) => [
    "--output-format",
    "json",
    // Nobody is there to answer its questions.
    "--no-ask-user",
    ...allowances[backend.permissions],
    ...(model === undefined ? [] : ["--model", model]),
    ...(session === undefined ? [] : [isNew === true ? "--session-id" : "--resume", session]),
    ...wired,
  ],
  createReader,
  keepsPrompts: true,
  // It names its session in its last line only, which one that is interrupted does not print.
  choosesSession: true,
};

const lineSchema = z.looseObject({
  type: z.string(),
  sessionId: z.string().optional(),
  exitCode: z.number().optional(),
  data: z
    .looseObject({
      messageId: z.string().optional(),
      content: z.unknown().optional(),
      deltaContent: z.string().optional(),
      message: z.string().optional(),
      toolCallId: z.string().optional(),
      toolName: z.string().optional(),
      arguments: z.unknown().optional(),
      success: z.boolean().optional(),
      error: z.looseObject({ code: z.string().optional() }).nullish().catch(undefined),
    })
    .optional(),
});

function createReader(): TurnReader {
  const tools = createToolLog();
  const paragraphs = createParagraphs();
  let streamed: string | undefined;
  let failure = "it failed";
  return (value) => {
    const parsed = lineSchema.safeParse(value);
    if (!parsed.success) return [];
    const { type, sessionId, exitCode, data = {} } = parsed.data;
    const { messageId, toolCallId: id, deltaContent: piece = "" } = data;
    switch (type) {
      case "user.message":
        return [{ kind: "kept" }];
      case "assistant.message_delta": {
        const isFirst = messageId !== streamed;
        streamed = messageId;
        return isFirst ? paragraphs(piece) : textEvent(piece);
      }
      case "assistant.message":
        // The whole of what came in pieces.
        return messageId === streamed || typeof data.content !== "string" ? [] : paragraphs(data.content);
      case "assistant.reasoning_delta":
        return thoughtEvent(piece);
      case "tool.execution_start":
        return id === undefined ? [] : tools.begin(id, data.toolName ?? "a tool", data.arguments);
      case "tool.execution_complete":
        if (id === undefined) return [];
        return [
          ...tools.end(id, data.success === false),
          // Nobody was there whom it could ask, or its rules forbid it.
          ...(data.error?.code === "denied" ? tools.refused(id) : []),
        ];
      case "session.error":
        failure = data.message ?? failure;
        return [];
      case "result":
        return [
          ...(sessionId === undefined ? [] : [{ kind: "session" as const, id: sessionId }]),
          exitCode === 0 ? { kind: "end", stop: "end_turn" } : { kind: "end", stop: "error", error: failure },
        ];
      default:
        return [];
    }
  };
}
