import { fieldsOf, type JsonSchema, withFacts } from "./json-schema.js";

/** A shape in short: `{id, seq: number, state: accepted | held, reason?}`. A field without a type is text. */
export function writeShape(schema: JsonSchema): string {
  if (schema.title !== undefined) return schema.title;
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(String).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((one) => writeShape(withFacts(one))).join(" | ");
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => writeShape({ ...schema, type })).join(" | ");
  }
  switch (schema.type) {
    case "object":
      return schema.properties === undefined ? "object" : `{${writeFields(schema)}}`;
    case "array":
      return Array.isArray(schema.items) || schema.items === undefined
        ? "[any]"
        : `[${writeShape(withFacts(schema.items))}]`;
    case "string":
      return "text";
    case "integer":
      return "number";
    case undefined:
      return "any";
    default:
      return schema.type;
  }
}

function writeFields(schema: JsonSchema): string {
  return fieldsOf(schema)
    .map((field) => {
      const name = field.required ? field.name : `${field.name}?`;
      const shape = writeShape(field.schema);
      return shape === "text" ? name : `${name}: ${shape}`;
    })
    .join(", ");
}
