import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { z } from "zod";
import { parseYaml } from "../../client/parse-yaml.js";
import { workflowDefinition } from "../../contract/http/workflows.js";
import { checkWorkflow } from "../../model/check-workflow.js";
import { usageError } from "../usage-error.js";
import {
  type DefinitionProblem,
  definitionInvalid,
  describeIssue,
  type PlacedProblem,
} from "./definition-problem.js";
import { readableSteps } from "./readable-steps.js";

type Definition = z.output<typeof workflowDefinition>;

export type DefinitionFile = {
  /** With folders as the hub takes them. */
  definition: Definition;
  place(problem: DefinitionProblem): PlacedProblem;
};

/** Far above what a hub takes, and soon read. */
const LARGEST = 16 * 1024 * 1024;

/** A definition that can be sent as it is: all that can be known without a hub has been looked at. */
export function readDefinition(file: string): DefinitionFile {
  const text = readText(file);
  const { value, problems, locate } = parseYaml(text);
  if (problems.length > 0) {
    throw definitionInvalid(
      file,
      problems.map(({ at, message }) => ({ ...placeOf(at), message })),
    );
  }
  const place = ({ path, part, message }: DefinitionProblem): PlacedProblem => {
    const found = placeOf(locate(path, part));
    const [template] = /^\{\{[^}]*\}\}/.exec(message) ?? [];
    return { ...(template === undefined ? found : placeWithin(text, found, template)), message };
  };
  const given = withoutSchema(value);
  const decoded = workflowDefinition.safeParse(given);
  const found = decoded.success ? [] : decoded.error.issues.flatMap((issue) => describeIssue(issue, given));
  found.push(...checkSteps(decoded.success ? decoded.data.steps : readableSteps(given), found));
  if (!decoded.success || found.length > 0) throw definitionInvalid(file, found.map(place));
  return { definition: withProjects(decoded.data, file), place };
}

/** How many steps there may be is the hub's to say. */
function checkSteps(
  steps: Parameters<typeof checkWorkflow>[0]["steps"] | undefined,
  earlier: readonly DefinitionProblem[],
): DefinitionProblem[] {
  if (steps === undefined) return [];
  const problems = checkWorkflow({ steps }, { most: Number.POSITIVE_INFINITY });
  // What a step lacks may be what could not be read of it.
  const unread = new Set(earlier.flatMap(({ path: [first, index] }) => (first === "steps" ? [index] : [])));
  return problems
    .filter(({ path }) => path.length !== 2 || !unread.has(path[1]))
    .map(({ path, problem }) => ({ path, part: "value", message: problem }));
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

/** Where in a value that begins here a piece of it stands; the beginning if it is written in another way. */
function placeWithin(text: string, from: { line: number; column: number }, piece: string) {
  const lines = text.split("\n");
  const start =
    lines.slice(0, from.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + from.column - 1;
  const at = text.indexOf(piece, start);
  if (at === -1) return from;
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
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
