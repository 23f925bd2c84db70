import { z } from "zod";
import { workflowDefinition, workflowStep } from "../../contract/http/workflows.js";
import { HubError } from "../../model/errors.js";
import { nearest } from "../../model/nearest.js";
import { quoteValue } from "../../model/quote-value.js";
import type { Path } from "../parse-yaml.js";

/** One slip can be followed by thousands of complaints, and nobody reads those. */
const MOST_SHOWN = 50;

/** One thing that is wrong with a definition: at which value, or at the name of which key. */
export type DefinitionProblem = { path: Path; part: "key" | "value"; message: string };

const placedProblem = z.object({ line: z.number(), column: z.number(), message: z.string() });

/** A problem and where it stands in the file, as editors and terminals link it. */
export type PlacedProblem = z.output<typeof placedProblem>;

/** The problems that a refusal by `definitionInvalid` tells of; undefined for anything else. */
export function problemsIn(error: unknown): readonly PlacedProblem[] | undefined {
  if (!(error instanceof HubError) || error.code !== "WORKFLOW_INVALID") return undefined;
  return z.array(placedProblem).safeParse(error.details["problems"]).data;
}

/** Every problem of a file at once; nothing was started. */
export function definitionInvalid(
  file: string,
  found: readonly PlacedProblem[],
  options?: ErrorOptions,
): HubError {
  const problems = [...found].sort((a, b) => a.line - b.line || a.column - b.column).slice(0, MOST_SHOWN);
  const lines = problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  if (found.length > MOST_SHOWN) lines.push(`and ${found.length - MOST_SHOWN} more`);
  const count = found.length === 1 ? "a problem" : `${found.length} problems`;
  const text = `${file} has ${count}; nothing was started:\n${lines.join("\n")}`;
  return new HubError("WORKFLOW_INVALID", text, { file, problems }, options);
}

/** What the schema has against a definition, in words that say what to write. */
export function describeIssue(issue: z.core.$ZodIssue, whole: unknown): DefinitionProblem[] {
  const { path } = issue;
  const name = String(path.at(-1) ?? "");
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        path: [...path, key],
        part: "key",
        message: `${quoteValue(key)} is not a key ${of(path)}; ${instead(key, keysAt(path))}`,
      }));
    case "invalid_union":
      return [describeUnion(issue, whole)];
    case "invalid_type": {
      const given = valueAt(whole, path);
      if (given === undefined && path.length > 0) {
        const above = path.slice(0, -1);
        return [{ path: above, part: "value", message: `${name} is missing; ${needing(above)}` }];
      }
      const wanted = `must be ${kinds[issue.expected] ?? issue.expected}, not ${kindOf(given)}`;
      const isWord = typeof given === "number" || typeof given === "boolean";
      return [at(path, issue.expected === "string" && isWord ? `${wanted}; put it in quotes` : wanted)];
    }
    case "invalid_value": {
      const given = valueAt(whole, path);
      const options = issue.values.map(String);
      const meant = typeof given === "string" ? nearest(given, options) : undefined;
      const list = options.join(", ");
      return [at(path, `must be one of ${list}${meant === undefined ? "" : `; did you mean ${meant}?`}`)];
    }
    case "too_small":
    case "too_big":
      return [at(path, describeSize(issue))];
    case "invalid_format":
      return [at(path, `takes ${issue.message}`)];
    default:
      return [at(path, issue.message)];
  }
}

function at(path: Path, problem: string): DefinitionProblem {
  return { path, part: "value", message: `${subject(path)} ${problem}` };
}

function subject(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return "the file";
  if (typeof last !== "number") return String(last);
  return path.length === 2 ? "a step" : `an entry of ${String(path.at(-2))}`;
}

function describeUnion(issue: z.core.$ZodIssueInvalidUnion, whole: unknown): DefinitionProblem {
  const given = valueAt(whole, issue.path);
  const meant = typeof given === "string" ? nearest(given, ["fail", "continue"]) : undefined;
  const question = meant === undefined ? "" : `; did you mean ${meant}?`;
  return at(issue.path, `must be fail, continue or {retry: n}${question}`);
}

function describeSize(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const isLow = issue.code === "too_small";
  const bound = isLow ? issue.minimum : issue.maximum;
  if (isLow && Number(bound) === 1 && issue.origin !== "number") return "must not be empty";
  const unit = issue.origin === "string" ? " characters" : issue.origin === "array" ? " entries" : "";
  const most = Number(bound).toLocaleString("en-US");
  if (isLow) return issue.inclusive === false ? `must be above ${most}` : `must be at least ${most}${unit}`;
  return unit === "" ? `must be at most ${most}` : `must have at most ${most}${unit}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "keys with values",
  record: "keys with values",
};

function kindOf(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return quoteValue(value);
    default:
      return "keys with values";
  }
}

function of(path: Path): string {
  const [first, index] = path;
  if (first === "budget") return "of the budget";
  if (first === "steps" && typeof index === "number") {
    return path.length > 2 ? `of ${String(path.at(-1))}` : `of step ${index + 1}`;
  }
  return "of a workflow";
}

function needing(path: Path): string {
  return path[0] === "steps" ? "every step needs it" : "a workflow needs it";
}

function keysAt([first, index, inner]: Path): string[] {
  if (first === "budget") return Object.keys(workflowDefinition.shape.budget.unwrap().shape);
  if (first !== "steps" || typeof index !== "number") return Object.keys(workflowDefinition.shape);
  return inner === undefined ? Object.keys(workflowStep.shape) : ["retry"];
}

function instead(key: string, known: readonly string[]): string {
  const meant = nearest(key.toLowerCase().replaceAll("-", "_"), known);
  return meant === undefined ? `known: ${known.join(", ")}` : `did you mean ${meant}?`;
}

function valueAt(whole: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, name) => propertyOf(value, name), whole);
}

function propertyOf(value: unknown, name: PropertyKey): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
