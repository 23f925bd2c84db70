import { z } from "zod";

const schemaShape = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  minItems: z.coerce.number().optional(),
  minimum: z.number().optional(),
  anyOf: z.array(z.unknown()).optional(),
});

/** The smallest value that fits a JSON schema: what a CLI's side call for structured output gets. */
export function fillSchema(schema: unknown): unknown {
  const parsed = schemaShape.safeParse(schema);
  if (!parsed.success) return "scripted";
  const {
    type,
    enum: values,
    const: constant,
    properties,
    items,
    minItems = 0,
    minimum = 1,
    anyOf,
  } = parsed.data;
  if (constant !== undefined) return constant;
  if (values !== undefined) return values[0];
  if (anyOf !== undefined) return fillSchema(anyOf[0]);
  switch ((Array.isArray(type) ? type[0] : type)?.toLowerCase()) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([key, inner]) => [key, fillSchema(inner)]),
      );
    case "array":
      return Array.from({ length: minItems }, () => fillSchema(items));
    case "number":
    case "integer":
      return minimum;
    case "boolean":
      return false;
    default:
      return "scripted";
  }
}
