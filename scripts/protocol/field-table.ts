import { fieldsOf, type JsonSchema } from "./json-schema.js";
import { code, table } from "./markdown.js";
import { writeType } from "./write-type.js";

/** The fields of an object, or those of them that need words; nothing where there are none. */
export function fieldTable(head: string, schema: JsonSchema, which: "all" | "described"): string {
  const fields = fieldsOf(schema).filter(
    (field) => which === "all" || field.schema.description !== undefined,
  );
  if (fields.length === 0) return "";
  if (which === "described") {
    return table(
      [head, "Meaning"],
      fields.map(({ name, schema: { description = "" } }) => [code(name), description]),
    );
  }
  return table(
    [head, "Type", "Meaning"],
    fields.map(({ name, schema: field, required }) => [
      code(name),
      required ? `${writeType(field)}; required` : writeType(field),
      field.description ?? "",
    ]),
  );
}
