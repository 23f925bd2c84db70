import { z } from "zod";

const loose = z.record(z.string(), z.unknown());

/** The JSON objects that a CLI printed, one a line or one in all; what is none is left out. */
export function jsonObjectsIn(stdout: string): Record<string, unknown>[] {
  const whole = parseObject(stdout.slice(Math.max(0, stdout.indexOf("{"))));
  if (whole !== undefined) return [whole];
  return stdout
    .split("\n")
    .map(parseObject)
    .filter((value) => value !== undefined);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return loose.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function stringAt(value: unknown, ...path: readonly string[]): string | undefined {
  let inner: unknown = value;
  for (const key of path) {
    const object = loose.safeParse(inner);
    if (!object.success) return undefined;
    inner = object.data[key];
  }
  return typeof inner === "string" ? inner : undefined;
}
