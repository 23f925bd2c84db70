import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { z } from "zod";
import { type Path, parseYaml } from "../../client/parse-yaml.js";
import { workflowDefinition } from "../../contract/http/workflows.js";
import { usageError } from "../usage-error.js";
import { type DefinitionProblem, definitionInvalid, describeIssue, type PlacedProblem } from "./definition-problem.js";

export type Definition = z.output<typeof workflowDefinition>;

export type DefinitionFile = {
  definition: Definition;
  place(problem: DefinitionProblem): PlacedProblem;
};

/** Far above what a hub takes, and soon read. */
const LARGEST = 16 * 1024 * 1024;

/** A definition that can be sent as it is: all that can be known without a hub has been looked at. */
export function readDefinition(file: string): DefinitionFile {
  const { value, problems, locate } = parseYaml(readText(file));
  if (problems.length > 0) {
    throw definitionInvalid(
      file,
      problems.map(({ at, message }) => ({ ...placeOf(at), message })),
    );
  }
  const place = ({ path, part, message }: DefinitionProblem): PlacedProblem => ({
    ...placeOf(locate(path, part)),
    message,
  });
  const given = withoutSchema(value);
  const decoded = workflowDefinition.safeParse(given);
  if (!decoded.success) {
    const found = decoded.error.issues.flatMap((issue) => describeIssue(issue, given));
    throw definitionInvalid(file, found.map(place));
  }
  return { definition: withProjects(decoded.data, file), place };
}

function readText(file: string): string {
  let bytes: Buffer;
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw usageError(`${file} is not a file`);
    if (stats.size > LARGEST) throw usageError(`${file} is larger than 16 MiB, which no workflow needs`);
    bytes = readFileSync(file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && "syscall" in error)) throw error;
    throw usageError(
      error.code === "ENOENT" ? `There is no file ${file}` : `${file} cannot be read (${String(error.code)})`,
    );
  }
  if (!isUtf8(bytes)) throw usageError(`${file} is not UTF-8 text; save it as UTF-8`);
  return bytes.toString("utf8");
}

function placeOf(at: string): { line: number; column: number } {
  const [line = 1, column = 1] = at.split(":").map(Number);
  return { line, column };
}

/** Editors find the schema of a JSON file by a key of this name. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { $schema, ...rest }: { $schema?: unknown } = value;
  return typeof $schema === "string" ? rest : value;
}

/** In a file a folder is meant from where the file is; without one, it is where the person is. */
function withProjects(definition: Definition, file: string): Definition {
  const from = (folder: string) => resolve(dirname(file), folder);
  return {
    ...definition,
    project: definition.project === undefined ? resolve(".") : from(definition.project),
    steps: definition.steps.map((step) =>
      step.project === undefined ? step : { ...step, project: from(step.project) },
    ),
  };
}

/** `steps.2.depends_on.0`, as the hub names a field. */
export function pathOfField(field: string): Path {
  return field.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
