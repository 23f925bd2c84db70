import type { ToolCall } from "./tool.js";

const MOST = 5;

/** What the caller still owes, a line each, beside the mail that it is given with it; no field where that is nothing. */
export function owesOf({ ports, me }: Pick<ToolCall, "ports" | "me">, given: readonly number[]) {
  const owed = ports.obligations.remaining(me, given);
  if (owed.length === 0) return {};
  return { owes: owed.length > MOST ? [...owed.slice(0, MOST), `and ${owed.length - MOST} more`] : owed };
}
