import { z } from "zod";
import { workflowDefinition } from "../../src/contract/http/workflows.js";

/** In a file a folder is given otherwise than over HTTP. */
const project = "Where agents work: a folder, from the folder of this file";
const descriptions: Readonly<Record<string, string>> = {
  "properties.project": `${project}; default: where you are`,
  "properties.steps.items.properties.project": `${project}; default: the workflow's`,
};

/** The JSON Schema of workflow files, by which editors complete and check them: the same as over HTTP. */
export function workflowSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(workflowDefinition, {
    io: "input",
    // Every editor knows this draft.
    target: "draft-7",
    override: ({ jsonSchema, path }) => {
      const place = path.join(".");
      jsonSchema.description = descriptions[place] ?? jsonSchema.description ?? "";
      if (jsonSchema.description === "") delete jsonSchema.description;
      if (place === "properties.steps") jsonSchema.minItems = 1;
      // The numbers of sections lead nowhere from here.
      if (jsonSchema.description !== undefined)
        jsonSchema.description = jsonSchema.description.replace(/ \(\d+(\.\d+)?\)/g, "");
    },
  });
  const whole = {
    $schema,
    title: "Huddle workflow",
    description: "Steps that agents carry out, in the order of their dependencies: huddle workflow run FILE",
    ...schema,
    properties: {
      $schema: { type: "string", description: "Where this schema is, for editors" },
      ...schema.properties,
    },
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
