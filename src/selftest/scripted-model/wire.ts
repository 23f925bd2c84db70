import type { Conversation, ReplyPart } from "./conversation.js";

/** One of the APIs that the model speaks. */
export type Wire = {
  api: ApiName;
  /** The stored body of a request; throws when it has not the API's shape. */
  decode(body: unknown, path: string): Conversation;
  /** The answer in one piece. */
  whole(parts: readonly ReplyPart[], model: string): unknown;
  /** The answer as server-sent events. */
  stream(model: string, send: SendEvent): StreamWriter;
  error(status: number, message: string): unknown;
  /** How the service refuses an account whose usage limit is reached until then. */
  limit(resetsAt: Date): Refusal;
};

export type Refusal = { status: number; headers: Readonly<Record<string, string>>; body: unknown };

export type ApiName = "anthropic" | "responses" | "chat" | "gemini";

export type SendEvent = (data: unknown, event?: string) => void;

export type StreamWriter = {
  begin(): void;
  part(part: ReplyPart): void;
  end(): void;
};

/** Consecutive pieces of text are one. */
export function joinText(parts: readonly ReplyPart[]): ReplyPart[] {
  const joined: ReplyPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind !== "call" && last?.kind === part.kind)
      joined[joined.length - 1] = { kind: part.kind, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

/** Enough for whoever keeps count. */
export const tokens = { input: 100, output: 10 };
