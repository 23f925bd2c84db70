import { InvalidArgumentError } from "commander";
import { parseDuration as parse } from "../model/duration.js";

/** A duration as the configuration has it, or a bare number of seconds, in milliseconds. For commander's options. */
export function parseDuration(text: string): number {
  const given = text.trim();
  const ms = parse(/^[\d.]+$/.test(given) ? `${given}s` : given);
  if (ms !== undefined && ms > 0) return ms;
  throw new InvalidArgumentError("Give a time such as 30s, 10m or 2h.");
}
