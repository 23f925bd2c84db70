import { z } from "zod";
import {
  createParagraphs,
  createToolLog,
  type HeadlessForm,
  type TurnEvent,
  type TurnReader,
  thoughtEvent,
  titleOf,
} from "../../headless/headless-form.js";

export const headlessForm: HeadlessForm = {
  args: ({ model }, { session, wired }) => [
    "run",
    "--format",
    "json",
    "--thinking",
    ...(model === undefined ? [] : ["--model", model]),
    ...(session === undefined ? [] : ["--session", session]),
    ...wired,
  ],
  createReader,
  keepsPrompts: true,
};

const lineSchema = z.looseObject({
  type: z.string(),
  sessionID: z.string().optional(),
  part: z
    .looseObject({
      text: z.string().optional(),
      tool: z.string().optional(),
      callID: z.string().optional(),
      reason: z.string().optional(),
      cost: z.number().optional(),
      tokens: z.looseObject({ input: z.number().optional(), output: z.number().optional() }).optional(),
      state: z
        .looseObject({
          status: z.string().optional(),
          input: z.unknown().optional(),
          error: z.string().optional(),
        })
        .optional(),
    })
    .optional(),
  error: z
    .looseObject({
      name: z.string().optional(),
      data: z.looseObject({ message: z.string().optional() }).optional(),
    })
    .optional(),
});

function createReader(): TurnReader {
  const tools = createToolLog();
  const paragraphs = createParagraphs();
  let session: string | undefined;
  let isKept = false;
  return (value) => {
    const parsed = lineSchema.safeParse(value);
    if (!parsed.success) return [];
    const { type, part, error, sessionID } = parsed.data;
    const events: TurnEvent[] = [];
    if (sessionID !== undefined && sessionID !== session) {
      session = sessionID;
      events.push({ kind: "session", id: sessionID });
    }
    // The first is our plug-in's, the second comes with the model's first word.
    if (!isKept && (type === "kept" || type === "step_start")) {
      isKept = true;
      events.push({ kind: "kept" });
    }
    if (type === "text") events.push(...paragraphs(part?.text ?? ""));
    else if (type === "reasoning") events.push(...thoughtEvent(part?.text ?? ""));
    else if (type === "tool_use" && part?.callID !== undefined) {
      const failed = part.state?.status === "error";
      events.push(...tools.begin(part.callID, part.tool ?? "a tool", part.state?.input));
      events.push(...tools.end(part.callID, failed));
      if (failed && /rejected permission|rule which prevents you/i.test(part.state?.error ?? ""))
        events.push({ kind: "refused", what: titleOf(part.tool ?? "a tool", part.state?.input) });
    } else if (type === "step_finish" && part?.reason !== "tool-calls") {
      events.push({ kind: "end", stop: "end_turn", usage: usageOf(part) });
    } else if (type === "error") {
      events.push({ kind: "end", stop: "error", error: error?.data?.message ?? error?.name ?? "it failed" });
    }
    return events;
  };
}

function usageOf(part: z.infer<typeof lineSchema>["part"]) {
  const { tokens, cost } = part ?? {};
  return {
    ...(tokens?.input === undefined ? {} : { inputTokens: tokens.input }),
    ...(tokens?.output === undefined ? {} : { outputTokens: tokens.output }),
    ...(cost === undefined ? {} : { costUsd: cost }),
  };
}
