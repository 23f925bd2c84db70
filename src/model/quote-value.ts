import { escapeUnsafe } from "./unsafe-text.js";

const LONGEST = 60;

/** A value from outside, quoted for an error message: short, on one line, and unable to drive the terminal. */
export function quoteValue(value: unknown): string {
  const text = escapeUnsafe(JSON.stringify(value) ?? String(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
