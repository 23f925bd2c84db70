/* A request to the model in the words that all four APIs share. */

export type ShownMessage =
  | { role: "assistant"; text: string; calls: readonly ShownCall[] }
  /** What the CLI put in: the user's words, its own remarks, the results of tools. */
  | { role: "user"; texts: readonly string[]; results: readonly ShownResult[] };

type ShownCall = { id: string; name: string };
type ShownResult = { id: string; text: string };

/** A tool as it was offered. codex groups those of an MCP server under a name of their own. */
export type OfferedTool = {
  name: string;
  group?: string;
  /** Takes text instead of JSON. */
  freeform?: true;
  properties: readonly string[];
};

export type Conversation = {
  system: string;
  messages: readonly ShownMessage[];
  tools: readonly OfferedTool[];
  model: string;
  stream: boolean;
  /** The JSON schema that the answer must fit, where one was asked for. */
  schema?: unknown;
};

/** A part of the model's answer, ready to be said in any of the APIs. */
export type ReplyPart =
  | { kind: "text"; text: string }
  | { kind: "thought"; text: string }
  | { kind: "call"; id: string; tool: OfferedTool; args: Record<string, unknown>; input?: string };

/** All that was shown as users' words or tools' results, oldest first. */
export function shownTexts({ messages }: Conversation): string[] {
  return messages.flatMap((message) =>
    message.role === "user" ? [...message.results.map(({ text }) => text), ...message.texts] : [],
  );
}

/**
 * Titles, summaries, classifications: what a CLI asks on its own behalf, often with the user's words in it. Most come
 * without tools; codex asks for its titles in a thread like any other, qwen for structured answers by a tool.
 */
export function isSideCall(conversation: Conversation): boolean {
  if (conversation.tools.every(({ name }) => name === "respond_in_schema")) return true;
  return /\bgenerate a (very )?short title\b/i.test(shownTexts(conversation).at(-1) ?? "");
}

/** Puts consecutive pieces of one role together, as the flat lists of some APIs need. */
export function groupMessages(pieces: readonly ShownMessage[]): ShownMessage[] {
  const grouped: ShownMessage[] = [];
  for (const piece of pieces) {
    const last = grouped.at(-1);
    if (last?.role === "assistant" && piece.role === "assistant")
      grouped[grouped.length - 1] = {
        role: "assistant",
        text: last.text + piece.text,
        calls: [...last.calls, ...piece.calls],
      };
    else grouped.push(piece);
  }
  return grouped;
}
