import { z } from "zod";
import { type LeafFacts, leafFacts } from "./config-leaf.js";

/** A key as the user names it, `http.body_limit`, with what is known about it. */
export type ConfigKey = LeafFacts & { key: string; path: readonly string[] };

/** An object of known keys that is not itself a value. */
export function isSection(schema: unknown): schema is z.ZodObject {
  return schema instanceof z.ZodObject && !leafFacts.has(schema);
}

export function listKeys(section: z.ZodObject, above: readonly string[] = []): ConfigKey[] {
  return Object.entries(section.shape).flatMap(([name, schema]) => {
    const path = [...above, name];
    if (isSection(schema)) return listKeys(schema, path);
    const facts = schema instanceof z.ZodType ? leafFacts.get(schema) : undefined;
    if (facts === undefined) throw new Error(`${path.join(".")} was not made by config-leaf.ts`);
    return [{ ...facts, key: path.join("."), path }];
  });
}
