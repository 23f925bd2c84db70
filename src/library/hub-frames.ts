import type { z } from "zod";
import { toRefusal } from "../client/decode-answer.js";
import { answerFrame, mailFrame, readyFrame, refusalFrame } from "../contract/socket/frames.js";
import type { HubError } from "../model/errors.js";
import { parseJson } from "../model/parse-json.js";

export type Ready = z.output<typeof readyFrame>;
export type Message = z.output<typeof mailFrame>["mail"][number];

/** What the hub said in one frame. */
export type HubFrame =
  | { kind: "ready"; ready: Ready }
  | { kind: "answer"; n: number; answer: unknown }
  | { kind: "refusal"; n: number | null; error: HubError }
  | { kind: "mail"; mail: readonly Message[] }
  /** Of a sort that asks for nothing, or that a newer hub has. */
  | { kind: "other" };

/** Undefined: that is no frame of a hub. */
export function readHubFrame(text: string): HubFrame | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  if ("answer" in value)
    return decoded(answerFrame, value, ({ n, answer }) => ({ kind: "answer", n, answer }));
  if ("mail" in value) return decoded(mailFrame, value, ({ mail }) => ({ kind: "mail", mail }));
  if ("n" in value)
    return decoded(refusalFrame, value, ({ n, ...said }) => ({ kind: "refusal", n, error: toRefusal(said) }));
  if ("type" in value && value.type === "ready")
    return decoded(readyFrame, value, (ready) => ({ kind: "ready", ready }));
  return { kind: "other" };
}

function decoded<Out>(
  schema: z.ZodType<Out>,
  value: object,
  as: (value: Out) => HubFrame,
): HubFrame | undefined {
  const result = schema.safeParse(value);
  return result.success ? as(result.data) : undefined;
}
