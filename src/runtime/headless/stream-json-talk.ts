import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { PermissionOption } from "../runtime.js";
import type { Ask, Talk, TurnEvent } from "./headless-form.js";
import { createStreamJsonReader, type TokenCount } from "./stream-json.js";

/*
 * Claude Code's `stream-json` in both directions, which qwen has too: the prompt is a line, and beside the lines of the turn
 * there are requests of control, each with an answer of the same id.
 */

type TalkForm = {
  prompt: string;
  /** Requests that it wants before the prompt. */
  first?: readonly string[];
  /** What kind of act a tool is, in ACP's words; those that are not named are `other`. */
  acts: Readonly<Record<string, string>>;
  /** Huddle's tools, as it names them. */
  ownTools: RegExp;
  tokens?: TokenCount;
};

const request = z.looseObject({
  type: z.literal("control_request"),
  request_id: z.string(),
  request: z.looseObject({
    subtype: z.string(),
    tool_name: z.string().optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    permission_suggestions: z.array(z.looseObject({ destination: z.string().optional() })).nullish(),
  }),
});
const withdrawal = z.looseObject({ type: z.literal("control_cancel_request"), request_id: z.string() });

export function createStreamJsonTalk({ prompt, first = [], acts, ownTools, tokens }: TalkForm): Talk {
  const readTurn = createStreamJsonReader(tokens);
  const control = (subtype: string) => ({
    type: "control_request",
    request_id: randomUUID(),
    request: { subtype },
  });
  const words = { type: "user", message: { role: "user", content: prompt } };

  function readRequest({ request_id: id, request: asked }: z.infer<typeof request>): TurnEvent[] {
    const { subtype, tool_name: tool, input = {}, permission_suggestions: suggestions } = asked;
    if (subtype !== "can_use_tool" || tool === undefined) {
      const response = { subtype: "error", request_id: id, error: `${subtype} is not served here` };
      return [{ kind: "send", line: { type: "control_response", response } }];
    }
    // What would hold for this process alone is gone with the turn: only what it writes down is worth offering.
    const kept = (suggestions ?? []).filter(
      ({ destination }) => destination !== undefined && destination !== "session",
    );
    const ask: Ask = {
      id,
      isOwnTool: ownTools.test(tool),
      request: {
        tool,
        title: titleOf(tool, input),
        act: acts[tool] ?? "other",
        details: { input, ...(kept.length === 0 ? {} : { always: kept }) },
        options: kept.length === 0 ? [once, deny] : [once, always, deny],
      },
      answer: (option) => ({
        type: "control_response",
        response: { subtype: "success", request_id: id, response: decision(option, input, kept) },
      }),
    };
    return [{ kind: "ask", ask }];
  }

  return {
    opening: [...first.map(control), { ...words, parent_tool_use_id: null, session_id: "" }],
    read(value) {
      const asked = request.safeParse(value);
      if (asked.success) return readRequest(asked.data);
      const withdrawn = withdrawal.safeParse(value);
      if (withdrawn.success) return [{ kind: "withdrawn", ask: withdrawn.data.request_id }];
      return readTurn(value);
    },
    interrupt: () => control("interrupt"),
  };
}

const once: PermissionOption = { id: "once", label: "Allow", grants: "once" };
const always: PermissionOption = { id: "always", label: "Always allow", grants: "always" };
const deny: PermissionOption = { id: "deny", label: "Deny", grants: "deny" };

function decision(option: string | undefined, input: unknown, kept: readonly unknown[]): object {
  if (option === once.id) return { behavior: "allow", updatedInput: input };
  if (option === always.id) return { behavior: "allow", updatedInput: input, updatedPermissions: kept };
  const message = option === undefined ? "Nobody answered the permission request." : "Permission was denied.";
  return { behavior: "deny", message };
}

/** The command itself where there is one, since that is what is decided upon; else the tool and what it is used on. */
function titleOf(tool: string, input: Readonly<Record<string, unknown>>): string {
  const { command } = input;
  if (typeof command === "string" && command !== "") return command;
  const on = ["file_path", "notebook_path", "path", "url", "query", "pattern"].map((key) => input[key]);
  const place = on.find((value) => typeof value === "string" && value !== "");
  return typeof place === "string" ? `${tool} ${place}` : tool;
}
