import { quoteLine } from "./others-words.js";

/** What an agent may say of itself, in the words of document 004. */
export const saidStatuses = ["idle", "busy", "offline"] as const;
export type SaidStatus = (typeof saidStatuses)[number];

/** The evidence of a status that an agent gave itself. */
export const SAYS_SO = "it says so";

export const coordinationActions = ["claim", "release"] as const;

/**
 * What a message of a type of document 004 says besides its text. Stated by its sender and checked by the hub; `type` of the message
 * says which. What came of a coordination is the hub's own word: `ok`, and the name of whoever has the task now. It is missing where
 * another hub decides.
 */
export type Typed =
  | { kind: "status"; status: SaidStatus }
  | {
      kind: "coordination";
      action: (typeof coordinationActions)[number];
      task: string;
      ok?: boolean;
      owner?: string | null;
      /** For another hub: since when it is claimed, by the clock here, and for how long. */
      since?: number;
      leaseMs?: number;
      /** The other hub knows of its own claim, and that it is known here. */
      told?: true;
    }
  | { kind: "pr-review"; repo: string; branch?: string; pr?: number }
  | { kind: "memory"; name: string; version: number }
  /** `work`: what goes over with it to an agent of another hub. */
  | { kind: "handoff"; task: string; work?: readonly string[] };

const typedKinds: ReadonlySet<string> = new Set<Typed["kind"]>([
  "status",
  "coordination",
  "pr-review",
  "memory",
  "handoff",
]);

export function isTypedKind(kind: string): boolean {
  return typedKinds.has(kind);
}

/** A task as long as one can be. */
const TASK_MOST = 500;

/** In the words of document 004, as they follow `[Agent] R2: `; undefined where the text says it all. */
export function typedWords(typed: Typed): string | undefined {
  switch (typed.kind) {
    case "status":
      return `[Status: ${typed.status}]`;
    case "coordination":
      return `[Coordination: ${coordinationWords(typed)}]`;
    default:
      return undefined;
  }
}

function coordinationWords({ action, task, ok, owner }: Extract<Typed, { kind: "coordination" }>): string {
  const named = `"${quoteLine(task, TASK_MOST)}"`;
  if (ok !== false) return `${action === "claim" ? "claimed" : "released"} ${named}`;
  return `${action === "claim" ? "wanted" : "did not release"} ${named}, which ${owner ?? "nobody"} has`;
}

/** The line that stands for what the fields say, where the sender wrote no text or in front of it. */
export function typedLine(typed: Typed): string | undefined {
  return typed.kind === "pr-review" ? reviewWords(typed) : typedWords(typed);
}

function reviewWords({ repo, branch, pr }: Extract<Typed, { kind: "pr-review" }>): string {
  const what = pr === undefined ? "Please review" : `Please review pull request #${pr} of`;
  const where = branch === undefined ? "" : `, branch ${quoteLine(branch)}`;
  return `${what} ${quoteLine(repo)}${where}.`;
}

/** The same said twice: what came of it is no part of what was said. */
export function sameTyped(one: Typed | undefined, other: Typed | undefined): boolean {
  return JSON.stringify(one && saidFields(one)) === JSON.stringify(other && saidFields(other));
}

function saidFields(typed: Typed) {
  const { status, action, task, repo, branch, pr, memory, version } = shownFields(typed);
  return [typed.kind, status, action, task, repo, branch, pr, memory, version];
}

/** As they stand at the top level of a message that is shown. */
export type ShownFields = {
  status?: SaidStatus;
  action?: (typeof coordinationActions)[number];
  task?: string;
  claimed?: boolean;
  released?: boolean;
  owner?: string | null;
  repo?: string;
  branch?: string;
  pr?: number;
  memory?: string;
  version?: number;
};

export function shownFields(typed: Typed): ShownFields {
  switch (typed.kind) {
    case "status":
      return { status: typed.status };
    case "coordination":
      return { action: typed.action, task: typed.task, ...outcomeFields(typed) };
    case "pr-review": {
      const { kind: _, ...fields } = typed;
      return fields;
    }
    case "memory":
      return { memory: typed.name, version: typed.version };
    case "handoff":
      return { task: typed.task };
  }
}

/** What came of a claim or a release; nothing for any other message. */
export function outcomeFields(typed: Typed | undefined): Pick<ShownFields, "claimed" | "released" | "owner"> {
  if (typed?.kind !== "coordination" || typed.ok === undefined) return {};
  const { action, ok, owner = null } = typed;
  return action === "claim" ? { claimed: ok, owner } : { released: ok, owner };
}
