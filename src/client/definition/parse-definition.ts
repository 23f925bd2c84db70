import type { z } from "zod";
import { workflowDefinition } from "../../contract/http/workflows.js";
import { checkWorkflow } from "../../model/check-workflow.js";
import { parseYaml } from "../parse-yaml.js";
import {
  type DefinitionProblem,
  definitionInvalid,
  describeIssue,
  type PlacedProblem,
} from "./definition-problem.js";
import { readableSteps } from "./readable-steps.js";

export type Definition = z.output<typeof workflowDefinition>;

export type ParsedDefinition = {
  /** With folders as they are written. */
  definition: Definition;
  place(problem: DefinitionProblem): PlacedProblem;
};

/**
 * A definition in YAML or JSON: all that can be known without a hub has been looked at, or it throws with every problem and its
 * place. `file` is what it is called.
 */
export function parseDefinition(text: string, file: string): ParsedDefinition {
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
  return { definition: decoded.data, place };
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

/** With every folder as the hub takes it; `usual` where none is given. */
export function withFolders(
  definition: Definition,
  { from, usual }: { from: (folder: string) => string; usual: string | undefined },
): Definition {
  const project = definition.project === undefined ? usual : from(definition.project);
  return {
    ...definition,
    ...(project === undefined ? {} : { project }),
    steps: definition.steps.map((step) =>
      step.project === undefined ? step : { ...step, project: from(step.project) },
    ),
  };
}
