import type { MessageType } from "./message.js";
import type { coordinationActions, SaidStatus, Typed } from "./typed-message.js";

/** The fields of document 004's types, as a sender gives them. */
export type TypedFields = {
  status?: SaidStatus | undefined;
  action?: (typeof coordinationActions)[number] | undefined;
  task?: string | undefined;
  repo?: string | undefined;
  branch?: string | undefined;
  pr?: number | undefined;
};

type Misfit = { field: keyof TypedFields; problem: string };

const belongs: Readonly<Record<keyof TypedFields, "status" | "coordination" | "pr-review">> = {
  status: "status",
  action: "coordination",
  task: "coordination",
  repo: "pr-review",
  branch: "pr-review",
  pr: "pr-review",
};

const needs: Readonly<Partial<Record<MessageType, readonly (keyof TypedFields)[]>>> = {
  status: ["status"],
  coordination: ["action", "task"],
  "pr-review": ["repo"],
};

/** By which a refusal says how it is meant. */
const all =
  "status has the field status, coordination has action and task, pr-review has repo and may have branch and pr";

const fieldNames = [
  "status",
  "action",
  "task",
  "repo",
  "branch",
  "pr",
] as const satisfies (keyof TypedFields)[];

/**
 * What does not fit together. Fields of another type never do. A message of one of these types may also be text alone; with
 * one of its fields, or without text, it has to have them all.
 */
export function findMisfits(type: MessageType | undefined, fields: TypedFields, hasText: boolean): Misfit[] {
  const given = fieldNames.filter((field) => fields[field] !== undefined);
  const foreign = given
    .filter((field) => belongs[field] !== type)
    .map((field) => ({ field, problem: `belongs to a message of the type ${belongs[field]}: ${all}` }));
  if (foreign.length > 0 || type === undefined || (given.length === 0 && hasText)) return foreign;
  return (needs[type] ?? [])
    .filter((field) => !given.includes(field))
    .map((field) => ({ field, problem: `is missing in a message of the type ${type}: ${all}` }));
}

/** Fields that fit together, or nothing where none are given. */
export function readTyped(fields: TypedFields): Typed | undefined {
  const { status, action, task, repo, branch, pr } = fields;
  if (status !== undefined) return { kind: "status", status };
  if (action !== undefined && task !== undefined) return { kind: "coordination", action, task };
  if (repo === undefined) return undefined;
  return {
    kind: "pr-review",
    repo,
    ...(branch === undefined ? {} : { branch }),
    ...(pr === undefined ? {} : { pr }),
  };
}
