import { z } from "zod";
import { HubError } from "../model/errors.js";
import { nearest } from "../model/nearest.js";

/** Decodes a body or a query by its contract, or refuses it naming every field that is wrong. */
export function decode<S extends z.ZodObject>(
  schema: S,
  value: unknown,
  what: "body" | "query" | "arguments",
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => describe(issue, schema, what));
  throw new HubError("INVALID_INPUT", issues.map(({ problem }) => problem).join("; "), { issues });
}

function describe(
  issue: z.core.$ZodIssue,
  schema: z.ZodObject,
  what: string,
): { field: string; problem: string } {
  const field = issue.path.map(String).join(".") || what;
  if (issue.code === "unrecognized_keys") {
    const [key] = issue.keys;
    const meant = key === undefined ? undefined : nearest(key, Object.keys(schema.shape));
    const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
    const shown = issue.keys.map((name) => `"${name.slice(0, 80)}"`).join(", ");
    return { field: issue.keys.join(", ").slice(0, 200), problem: `unknown field ${shown}${hint}` };
  }
  return { field, problem: `${field}: ${sayOf(issue)}` };
}

/** The two mistakes that are made most, in plain words. */
function sayOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) return "is missing";
  if (issue.code === "too_small" && issue.origin === "string" && issue.minimum === 1) return "is empty";
  return issue.message;
}

/** Query strings are text: those that the contract calls numbers, or true or false, are read as such, strictly. */
export function decodeQuery<S extends z.ZodObject>(schema: S, query: URLSearchParams): z.output<S> {
  const values = new Map<string, unknown>();
  for (const [key, text] of query) {
    if (values.has(key)) {
      throw new HubError("INVALID_INPUT", `The query parameter "${key.slice(0, 80)}" is given twice`);
    }
    const wanted: unknown = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
    values.set(key, wanted === undefined ? text : read(text, wanted));
  }
  return decode(schema, Object.fromEntries(values), "query");
}

function read(text: string, type: unknown): unknown {
  if (type instanceof z.ZodOptional || type instanceof z.ZodDefault) return read(text, type.unwrap());
  if (type instanceof z.ZodNumber && /^-?\d{1,15}(\.\d{1,6})?$/.test(text)) return Number(text);
  if (type instanceof z.ZodBoolean && (text === "true" || text === "false")) return text === "true";
  return text;
}
