import type { ToolCall } from "./tool.js";

const MOST = 5;

/** What the caller still owes, a line each, beside the mail that it is given with it; no field where that is nothing. */
export function owesOf({ ports, me }: Pick<ToolCall, "ports" | "me">, given: readonly number[]) {
  const { lines, more } = ports.obligations.remaining(me, given, MOST);
  if (lines.length === 0) return {};
  return { owes: more > 0 ? [...lines, `and ${more} more`] : lines };
}
