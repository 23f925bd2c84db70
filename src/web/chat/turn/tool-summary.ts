import type { ToolCall } from "./turn-shown.js";

const words: Readonly<Record<string, string>> = {
  read: "Read",
  edit: "Edit",
  delete: "Delete",
  move: "Move",
  search: "Search",
  execute: "Run",
  think: "Think",
  fetch: "Fetch",
};

const SEND = /(?:^|[_\W])(?:send|reply|broadcast)(?:_|\b)/i;
const SPAWN = /(?:^|[_\W])spawn(?:_|\b)/i;

/** One word for what a call does. */
export function toolWord({ act, title }: Pick<ToolCall, "act" | "title">): string {
  const known = act === undefined ? undefined : words[act];
  if (known !== undefined) return known;
  if (SEND.test(title)) return "Send";
  if (SPAWN.test(title)) return "Spawn";
  return act === "other" || act === undefined ? (/^[A-Z][a-z]+(?=\s)/.exec(title)?.[0] ?? "Tool") : act;
}

/** What the call is about: its title without the word that stands before it anyway. */
export function toolTarget(call: Pick<ToolCall, "act" | "title">): string {
  const word = toolWord(call);
  const rest = call.title.startsWith(`${word} `) ? call.title.slice(word.length + 1) : call.title;
  return rest === word ? "" : rest;
}

export function isSending(call: Pick<ToolCall, "act" | "title">): boolean {
  return toolWord(call) === "Send";
}

/** `Read 3 · Search 2 · Send 1`, in the order in which they first came. */
export function countTools(tools: readonly ToolCall[]): string {
  const counts = new Map<string, number>();
  for (const tool of tools) counts.set(toolWord(tool), (counts.get(toolWord(tool)) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${word} ${count}`).join(" · ");
}

/** How long they took together, or undefined if that is not known of any. */
export function toolTime(tools: readonly ToolCall[]): number | undefined {
  const known = tools.map(({ ms }) => ms).filter((ms) => ms !== null);
  return known.length === 0 ? undefined : known.reduce((sum, ms) => sum + ms, 0);
}
