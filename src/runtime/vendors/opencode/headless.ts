import { z } from "zod";
import {
  createParagraphs,
  createToolLog,
  type HeadlessForm,
  type TurnEvent,
  type TurnReader,
  thoughtEvent,
} from "../../headless/headless-form.js";
import type { Usage } from "../../runtime.js";

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
      tokens: z
        .looseObject({
          input: z.number().optional(),
          output: z.number().optional(),
          cache: z.looseObject({ read: z.number().optional(), write: z.number().optional() }).optional(),
        })
        .optional(),
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
  // Each call of the model is a step of its own.
  let used: Usage = {};
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
        events.push(...tools.refused(part.callID));
    } else if (type === "step_finish") {
      used = withStep(used, part);
      if (part?.reason !== "tool-calls") events.push({ kind: "end", stop: "end_turn", usage: used });
    } else if (type === "error") {
      const why = error?.data?.message ?? error?.name ?? "it failed";
      events.push({ kind: "end", stop: "error", usage: used, error: why });
    }
    return events;
  };
}

function withStep(before: Usage, part: z.infer<typeof lineSchema>["part"]): Usage {
  const { tokens, cost } = part ?? {};
  const { input, output, cache } = tokens ?? {};
  const { inputTokens = 0, outputTokens = 0, costUsd = 0 } = before;
  const cached = (cache?.read ?? 0) + (cache?.write ?? 0);
  return {
    ...before,
    ...(input === undefined ? {} : { inputTokens: inputTokens + input + cached }),
    ...(output === undefined ? {} : { outputTokens: outputTokens + output }),
    ...(cost === undefined ? {} : { costUsd: costUsd + cost }),
  };
}
