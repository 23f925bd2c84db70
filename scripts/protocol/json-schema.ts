import { z } from "zod";
import { delivery } from "../../src/contract/events/parts.js";
import { deliveryView, messageView } from "../../src/contract/http/messages.js";
import { requestView } from "../../src/contract/http/requests.js";
import { taskView } from "../../src/contract/http/tasks.js";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Shapes that several answers hold. They have a name, and are written out once. */
export const namedShapes: ReadonlyMap<string, z.ZodObject> = new Map<string, z.ZodObject>([
  ["Message", messageView],
  ["Delivery", deliveryView],
  ["Request", requestView],
  ["Task", taskView],
  ["DeliveryRef", delivery],
]);

/** A schema as JSON Schema, in which a named shape is its name alone, in `title`. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const whole: unknown = schema;
  return z.toJSONSchema(schema, {
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === whole) return;
      for (const [title, shape] of namedShapes) {
        if (zodSchema !== shape) continue;
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        jsonSchema.title = title;
      }
    },
  });
}

type Field = { name: string; schema: JsonSchema; required: boolean };

export function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: withFacts(schema),
    required: required.includes(name),
  }));
}

/** JSON Schema may say just `true`: anything. */
export function withFacts(schema: JsonSchema | boolean): JsonSchema {
  return typeof schema === "boolean" ? {} : schema;
}
