import { z } from "zod";
import {
  createToolLog,
  type HeadlessForm,
  type TurnEvent,
  type TurnReader,
  textEvent,
} from "../../headless/headless-form.js";
import { approvalMode } from "../approval-mode.js";

export const headlessForm: HeadlessForm = {
  args: ({ backend, model }, { session, wired }) => [
    "--output-format",
    "stream-json",
    "--approval-mode",
    approvalMode(backend.permissions),
    ...(model === undefined ? [] : ["--model", model]),
    ...(session === undefined ? [] : ["--resume", session]),
    ...wired,
  ],
  createReader,
  keepsPrompts: true,
};

const lineSchema = z.looseObject({
  type: z.string(),
  session_id: z.string().optional(),
  role: z.string().optional(),
  content: z.string().optional(),
  tool_name: z.string().optional(),
  tool_id: z.string().optional(),
  parameters: z.unknown().optional(),
  status: z.string().optional(),
  error: z.looseObject({ message: z.string().optional() }).nullish(),
  stats: z
    .looseObject({ input_tokens: z.number().optional(), output_tokens: z.number().optional() })
    .nullish(),
});

function createReader(): TurnReader {
  const tools = createToolLog();

  function readResult(id: string, { status, error }: z.infer<typeof lineSchema>): TurnEvent[] {
    const ended = tools.end(id, status === "error");
    // Without a screen it does not offer what it would ask about; a model may try all the same.
    const isRefused =
      status === "error" &&
      /denied by policy|requires? (?:user )?(?:approval|confirmation)|not found in registry/i.test(
        error?.message ?? "",
      );
    return isRefused ? [...ended, ...tools.refused(id)] : ended;
  }

  return (value) => {
    const parsed = lineSchema.safeParse(value);
    if (!parsed.success) return [];
    const line = parsed.data;
    switch (line.type) {
      case "init":
        return line.session_id === undefined ? [] : [{ kind: "session", id: line.session_id }];
      case "message":
        return line.role === "assistant" ? textEvent(line.content ?? "") : [];
      case "tool_use":
        if (line.tool_id === undefined) return [];
        return tools.begin(line.tool_id, line.tool_name ?? "a tool", line.parameters);
      case "tool_result":
        return line.tool_id === undefined ? [] : readResult(line.tool_id, line);
      case "result": {
        const { input_tokens: inputTokens, output_tokens: outputTokens } = line.stats ?? {};
        const usage = {
          ...(inputTokens === undefined ? {} : { inputTokens }),
          ...(outputTokens === undefined ? {} : { outputTokens }),
        };
        return line.status === "error"
          ? [{ kind: "end", stop: "error", usage, error: line.error?.message ?? "it failed" }]
          : [{ kind: "end", stop: "end_turn", usage }];
      }
      default:
        return [];
    }
  };
}
