import { z } from "zod";
import type { MessageType } from "../model/message.js";
import { findMisfits, type TypedFields } from "../model/read-typed.js";
import { coordinationActions, saidStatuses } from "../model/typed-message.js";
import { CONTROLS } from "../model/unsafe-text.js";

const printable = new RegExp(`^[^${CONTROLS}]*$`);

/** One line, so that two agents who mean the same task can write the same. */
export const task = z
  .string()
  .min(1)
  .max(500)
  .regex(/^\S(.*\S)?$/u, "must be one line without spaces around it")
  .regex(printable, "must not hold control characters");

const word = z
  .string()
  .min(1)
  .max(300)
  .regex(/^\S+$/u, "must not hold spaces")
  .regex(printable, "must not hold control characters");

/** What the types of document 004 have besides text. */
export const typedFields = {
  status: z.enum(saidStatuses).optional(),
  action: z.enum(coordinationActions).optional(),
  task: task.optional(),
  repo: word.optional(),
  branch: word.optional(),
  pr: z.number().int().positive().max(1e9).optional(),
};

/** The same for a model, which pays for each byte of a pattern: `checkTyped` holds it to the above. */
export const leanFields = {
  status: typedFields.status,
  action: typedFields.action,
  task: z.string().optional(),
  repo: z.string().optional(),
  branch: z.string().optional(),
  pr: z.number().optional(),
};

const wellFormed = z.object(typedFields);

type Said = TypedFields & { type?: MessageType | undefined };

/** Whether it has words, or fields that may stand for them. */
export function hasWords(said: Said, words: unknown): boolean {
  const { type, status, action, task: named, repo, branch, pr } = said;
  const fields = [words, status, action, named, repo, branch, pr];
  return (
    fields.some((one) => one !== undefined) ||
    type === "status" ||
    type === "coordination" ||
    type === "pr-review"
  );
}

/** For a refinement: words that are missing are told of beside whatever else is wrong. */
export const wordsMissing = (path: string) => ({
  path: [path],
  error: "is missing",
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null,
});

/** Refuses what does not fit together. */
export function checkTyped(said: Said, words: string | undefined, refuse: z.RefinementCtx): void {
  const { error } = wellFormed.safeParse(said);
  for (const { path, message } of error?.issues ?? []) refuse.addIssue({ code: "custom", path, message });
  const misfits = findMisfits(said.type, said, words !== undefined);
  for (const { field, problem } of misfits)
    refuse.addIssue({ code: "custom", path: [field], message: problem });
}
