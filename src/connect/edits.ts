import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type ConfigFormat, isObject, valueAt } from "./config-format.js";

/*
 * What Huddle puts into a configuration, and how it takes that out again. `key`: the value of a key. `list`: one more member of a
 * list, beside those of others.
 */

export type Edit = { kind: "key" | "list"; path: string[]; value: unknown };

/** An edit that was made, with what it takes to undo it. */
export const madeEdit = z.object({
  kind: z.enum(["key", "list"]),
  path: z.array(z.string()),
  value: z.unknown(),
  /** What the key had before. */
  previous: z.unknown().optional(),
  /** How many of the objects and lists around it were made for it. */
  made: z.int().nonnegative(),
});
export type MadeEdit = z.infer<typeof madeEdit>;

/** Whether all of it is there. What people added to it stays theirs. */
export function isInEffect(config: unknown, { kind, path, value }: Edit): boolean {
  const there = valueAt(config, path);
  if (kind === "key") return covers(there, value);
  return Array.isArray(there) && there.some((member) => isDeepStrictEqual(member, value));
}

export function makeEdit(format: ConfigFormat, text: string, edit: Edit): { text: string; made: MadeEdit } {
  const config = format.parse(text);
  const { kind, path, value } = edit;
  const there = valueAt(config, path);
  const around = kind === "list" ? path : path.slice(0, -1);
  const isThere = around.map((_, i) => valueAt(config, around.slice(0, i + 1)) !== undefined);
  const made = {
    ...edit,
    ...(kind === "key" && there !== undefined ? { previous: there } : {}),
    made: isThere.filter((one) => !one).length,
  };
  if (kind === "key") return { text: format.set(text, path, value), made };
  if (there === undefined) return { text: format.set(text, path, [value]), made };
  return { text: format.set(text, [...path, -1], value), made };
}

/** Whatever else was changed meanwhile stays. */
export function undoEdit(format: ConfigFormat, text: string, edit: MadeEdit): string {
  const { kind, path, value, previous, made } = edit;
  const there = valueAt(format.parse(text), path);
  let rest = text;
  if (kind === "key") {
    if (there === undefined) return text;
    rest = format.set(text, path, previous);
  } else {
    const at = Array.isArray(there) ? there.findIndex((member) => isDeepStrictEqual(member, value)) : -1;
    if (at === -1) return text;
    rest = format.set(text, [...path, at], undefined);
  }
  const around = kind === "list" ? path : path.slice(0, -1);
  for (let i = 0; i < made; i++) {
    const outer = around.slice(0, around.length - i);
    const left = valueAt(format.parse(rest), outer);
    if (!isEmpty(left)) break;
    rest = format.set(rest, outer, undefined);
  }
  return rest;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** Lists may go on, objects may have more. */
function covers(there: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return Array.isArray(there) && wanted.every((one, i) => covers(there[i], one));
  if (isObject(wanted))
    return isObject(there) && Object.entries(wanted).every(([key, value]) => covers(there[key], value));
  return Object.is(there, wanted);
}
