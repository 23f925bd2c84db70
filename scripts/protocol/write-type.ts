import { type JsonSchema, withFacts } from "./json-schema.js";
import { code } from "./markdown.js";

/** The type of one input with its limits and its default: "text, 1–200". */
export function writeType(schema: JsonSchema): string {
  const { default: fallback } = schema;
  return [
    kindOf(schema),
    ...limitsOf(schema),
    ...(fallback === undefined ? [] : [`default ${code(fallback)}`]),
  ].join(", ");
}

function kindOf(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map(code).join(", ");
  if (schema.format === "uri") return "URL";
  switch (schema.type) {
    case "string":
      return schema.pattern !== undefined && isWhole(schema.pattern)
        ? `text that matches ${code(schema.pattern)}`
        : "text";
    case "integer":
      return "whole number";
    case "array":
      return Array.isArray(schema.items) || schema.items === undefined
        ? "list"
        : `list of ${kindOf(withFacts(schema.items))}`;
    case undefined:
      return "anything";
    default:
      return String(schema.type);
  }
}

/** Patterns that look at a part of a text only are told in the words beside them. */
function isWhole(pattern: string): boolean {
  return pattern.startsWith("^") && pattern.endsWith("$");
}

function limitsOf(schema: JsonSchema): string[] {
  const above =
    typeof schema.exclusiveMinimum !== "number" ? [] : [`above ${count(schema.exclusiveMinimum)}`];
  const from = schema.minLength ?? schema.minItems ?? schema.minimum;
  const to = schema.maxLength ?? schema.maxItems ?? schema.maximum;
  const bounded = to !== undefined && to < Number.MAX_SAFE_INTEGER;
  if (from !== undefined && bounded) return [`${count(from)}–${count(to)}`];
  return [
    ...above,
    ...(from === undefined ? [] : [`at least ${count(from)}`]),
    ...(bounded ? [`at most ${count(to)}`] : []),
  ];
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
