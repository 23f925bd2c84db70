// Rewrites the generated blocks of the documents, from the contracts and the schema of the configuration, and the JSON Schema
// of workflow files. With --check it writes nothing, and fails if something is stale. Usage: npm run protocol [-- --check]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { countBytes, fillBlocks, findMissing } from "./blocks.js";
import { catalogueParts } from "./catalogue-parts.js";
import { routeParts, shapeParts } from "./route-parts.js";
import { toolParts } from "./tool-parts.js";
import { workflowSchema } from "./workflow-schema.js";

const files = ["PROTOCOL.md", "docs/configuration.md"];
const schemaFile = "schemas/workflow.schema.json";
const onlyCheck = process.argv.includes("--check");

const parts = [...routeParts(), ...shapeParts(), ...catalogueParts(), ...toolParts()];
const documents = files.map((file) => ({ file, ...fillBlocks(readFileSync(file, "utf8"), parts) }));

const schema = workflowSchema();
const isSchemaStale = !existsSync(schemaFile) || readFileSync(schemaFile, "utf8") !== schema;

const problems = [
  ...documents.flatMap(({ file, problems: found }) => found.map((problem) => `${file}: ${problem}`)),
  ...findMissing(
    parts,
    documents.flatMap(({ named }) => named),
  ).map(
    (name) => `No document has the block <!-- generated: ${name} --> … <!-- end -->; add it to its section.`,
  ),
  ...documents.flatMap(({ file, stale }) =>
    onlyCheck ? stale.map((name) => `${file}: the block "${name}" is stale; run npm run protocol.`) : [],
  ),
  ...(onlyCheck && isSchemaStale ? [`${schemaFile} is stale; run npm run protocol.`] : []),
];

if (!onlyCheck && isSchemaStale) {
  mkdirSync(dirname(schemaFile), { recursive: true });
  writeFileSync(schemaFile, schema);
}
if (!onlyCheck) for (const { file, text } of documents) writeFileSync(file, text);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

for (const { file, text } of documents) {
  const { byHand, generated } = countBytes(text);
  console.log(`${file}: ${byHand} bytes by hand, ${generated} generated`);
}
