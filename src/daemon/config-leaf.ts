import { isIPv4 } from "node:net";
import { z } from "zod";
import { formatDuration, parseDuration } from "../model/duration.js";
import { quoteValue } from "../model/quote-value.js";
import { formatBytes, parseBytes } from "./bytes.js";

/*
 * The kinds of value that a configuration key can have. Each maker takes the default as it would be written in the
 * file, and one line of description, and returns the schema that decodes the key. A refusal says what to write.
 */

/** `plain` values are shown as they are. */
type Unit = "ms" | "bytes" | "plain";
export type LeafFacts = { description: string; fallback: string; unit: Unit };

/** Tells a key from a section, and holds what `huddle config show` and the docs say about it. */
export const leafFacts = z.registry<LeafFacts>();

type Reading<T> = { value: T } | { problem: string };

function leaf<T>(facts: LeafFacts, fallback: unknown, read: (raw: unknown) => Reading<T>) {
  return z
    .unknown()
    .transform((raw, context): T => {
      const reading = raw === null ? { problem: "has no value; give it one or remove it" } : read(raw);
      if ("value" in reading) return reading.value;
      context.addIssue({ code: "custom", message: reading.problem });
      return z.NEVER;
    })
    .prefault(fallback)
    .register(leafFacts, facts);
}

/** Timers of Node overflow past 24.8 days and then fire at once; only what is kept as an alarm may be longer. */
export function duration(fallback: string, description: string, from = "1ms", to = "24d") {
  return leaf({ description, fallback, unit: "ms" }, fallback, (raw) => {
    const value = typeof raw === "string" ? parseDuration(raw) : undefined;
    if (value !== undefined) {
      return within(value, parseDuration(from) ?? 0, parseDuration(to) ?? 0, formatDuration);
    }
    const bare = typeof raw === "number" || (typeof raw === "string" && /^\d+$/.test(raw));
    if (bare) return { problem: `${quoteValue(raw)} has no unit; write ${String(raw)}s or ${String(raw)}ms` };
    return { problem: `${quoteValue(raw)} is not a duration; write it like 500ms, 30s, 15m, 24h or 1d` };
  });
}

export function bytes(fallback: string, description: string, from = "1", to = "1GiB") {
  return leaf({ description, fallback, unit: "bytes" }, fallback, (raw) => {
    const value = typeof raw === "string" || typeof raw === "number" ? parseBytes(String(raw)) : undefined;
    if (value !== undefined) return within(value, parseBytes(from) ?? 0, parseBytes(to) ?? 0, formatBytes);
    return { problem: `${quoteValue(raw)} is not a size; write it like 512KiB, 1MiB, 64kB or 65536` };
  });
}

export function count(fallback: number, description: string, from: number, to: number) {
  return leaf({ description, fallback: String(fallback), unit: "plain" }, fallback, (raw) => {
    if (typeof raw === "number" && Number.isSafeInteger(raw)) return within(raw, from, to, String);
    return { problem: `${quoteValue(raw)} is not a whole number; write it like ${fallback}, without quotes` };
  });
}

/** A sum of money: not only whole numbers. */
export function amount(fallback: number, description: string, to: number) {
  return leaf({ description, fallback: String(fallback), unit: "plain" }, fallback, (raw) => {
    if (typeof raw === "number" && Number.isFinite(raw)) return within(raw, 0, to, String);
    return { problem: `${quoteValue(raw)} is not a number; write it like 5 or 0.5, without quotes` };
  });
}

export function oneOf<const Word extends string>(
  words: readonly Word[],
  fallback: NoInfer<Word>,
  description: string,
) {
  return leaf({ description, fallback, unit: "plain" }, fallback, (raw) => {
    const value = words.find((word) => word === raw);
    if (value !== undefined) return { value };
    return { problem: `${quoteValue(raw)} is not one of ${words.join(", ")}` };
  });
}

export function yesNo(fallback: boolean, description: string) {
  return leaf({ description, fallback: String(fallback), unit: "plain" }, fallback, (raw) =>
    typeof raw === "boolean" ? { value: raw } : { problem: `${quoteValue(raw)} is not true or false` },
  );
}

export function loopbackHost(fallback: string, description: string) {
  return leaf({ description, fallback, unit: "plain" }, fallback, (raw) => {
    if (typeof raw === "string" && isLoopback(raw)) return { value: raw };
    return {
      problem:
        `${quoteValue(raw)} is not a loopback address: binding beyond loopback needs a secret, which this ` +
        `version does not have; use a tunnel, and write 127.0.0.1, ::1 or localhost`,
    };
  });
}

/** A key whose value has an inner shape of its own, such as a list or a map of things that the user names. */
export function structured<S extends z.ZodType>(schema: S, fallback: z.input<S>, description: string) {
  const key = schema.prefault(fallback);
  leafFacts.add(key, { description, fallback: JSON.stringify(fallback), unit: "plain" });
  return key;
}

function within(value: number, from: number, to: number, write: (value: number) => string): Reading<number> {
  if (value >= from && value <= to) return { value };
  return { problem: `must be between ${write(from)} and ${write(to)}, not ${write(value)}` };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
