/*
 * Is there one order of all operations on one claimable thing (a request, a task) that explains every answer, and in
 * which each operation stands between its call and its answer? If not, the hub did not have one winner. This is the
 * search of Wing and Gong: try every operation that may come next, undo, and never try the same place twice.
 */

export type Outcome =
  /** It is the caller's. Claiming again what is one's own says so too. */
  | { kind: "won" }
  | { kind: "lost"; owner: string }
  /** It is nobody's now. */
  | { kind: "released" }
  /** It is somebody else's to release. */
  | { kind: "kept"; owner: string }
  | { kind: "saw"; owner: string | null }
  /** No answer came: it may have happened at any time after its call, or never. */
  | { kind: "unknown" };

export type Operation = {
  by: string;
  action: "claim" | "release" | "look";
  called: number;
  /** Infinity when no answer came. */
  answered: number;
  outcome: Outcome;
};

/** Why the history has no explanation, or undefined when it has one. */
export function findContradiction(history: readonly Operation[]): string | undefined {
  const operations = history.filter(({ action, outcome }) => action !== "look" || outcome.kind !== "unknown");
  const done = operations.map(() => false);
  const dead = new Set<string>();
  let furthest = 0;

  /** Whether what is not done yet can be explained from here on. */
  function explain(owner: string | null, explained: number): boolean {
    furthest = Math.max(furthest, explained);
    // What was answered first must come before everything that was called after that answer.
    const deadline = Math.min(
      ...operations.map(({ answered }, i) => (done[i] === true ? Number.POSITIVE_INFINITY : answered)),
    );
    if (deadline === Number.POSITIVE_INFINITY) return true; // Only unanswered ones are left: they never happened.
    const place = `${owner} ${done.map(Number).join("")}`;
    if (dead.has(place)) return false;
    const next = operations.flatMap((operation, i) => {
      if (done[i] === true || operation.called > deadline) return [];
      const result = apply(operation, owner);
      return result === undefined ? [] : [{ i, operation, result }];
    });
    // What can never change anything may as well come now: that excludes no order of the others.
    const idle = next.find(({ operation }) => onlyTells(operation.outcome));
    // And what was never answered need not have happened, unless it explains a change.
    const useful = next.filter(
      ({ operation, result }) => operation.outcome.kind !== "unknown" || result.owner !== owner,
    );
    const choices = idle === undefined ? useful : [idle];
    for (const { i, result } of choices) {
      done[i] = true;
      if (explain(result.owner, explained + 1)) return true;
      done[i] = false;
    }
    dead.add(place);
    return false;
  }

  if (explain(null, 0)) return undefined;
  return `only ${furthest} of ${operations.length} operations can be explained: ${JSON.stringify(operations)}`;
}

function onlyTells({ kind }: Outcome): boolean {
  return kind === "lost" || kind === "kept" || kind === "saw";
}

/** The owner after the operation, or undefined when it could not have been answered so. */
function apply(
  { by, action, outcome }: Operation,
  owner: string | null,
): { owner: string | null } | undefined {
  const isOpen = owner === null || owner === by;
  const after = !isOpen || action === "look" ? owner : action === "claim" ? by : null;
  return couldBe(outcome, action, isOpen, owner) ? { owner: after } : undefined;
}

function couldBe(
  outcome: Outcome,
  action: Operation["action"],
  isOpen: boolean,
  owner: string | null,
): boolean {
  switch (outcome.kind) {
    case "unknown":
      return true;
    case "won":
      return action === "claim" && isOpen;
    case "released":
      return action === "release" && isOpen;
    case "lost":
      return action === "claim" && !isOpen && outcome.owner === owner;
    case "kept":
      return action === "release" && !isOpen && outcome.owner === owner;
    case "saw":
      return action === "look" && outcome.owner === owner;
  }
}
