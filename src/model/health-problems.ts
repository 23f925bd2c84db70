import { findPeerProblems, type PeerFacts } from "./peer-problems.js";

/*
 * What counts as a problem of a hub: the one place that says so. The desk and the command line show what it finds.
 */

export type HealthFacts = PeerFacts & {
  /** What the hub itself says is wrong. */
  hub: string | undefined;
  disk: { free_bytes: number; reserve_bytes: number } | null;
  views: readonly { name: string; behind: number }[];
  limits: readonly { key: string; label: string; used: number; most: number }[];
  /** That agents run on, and that are not found. */
  missing: readonly { backend: string; agents: readonly string[]; install: string | null }[];
};

export const problemKinds = ["hub", "disk", "view", "limit", "backend", "peer"] as const;
type ProblemKind = (typeof problemKinds)[number];

/** What is wrong, and the next step. */
export type HealthProblem = { kind: ProblemKind; text: string; next: string };

const GB = 1_000_000_000;
/** So many events are taken in within seconds, also on a busy machine. */
const FAR_BEHIND = 20_000;
const NEARLY = 0.9;

export function findProblems(facts: HealthFacts): HealthProblem[] {
  const { hub, disk, views, limits, missing } = facts;
  return [
    ...(hub === undefined ? [] : [{ kind: "hub" as const, text: hub, next: "See hub.log." }]),
    ...(disk === null || hub !== undefined ? [] : diskProblem(disk)),
    ...views
      .filter(({ behind }) => behind > FAR_BEHIND)
      .map(({ name, behind }) => ({
        kind: "view" as const,
        text: `${name}: ${behind.toLocaleString("en")} events behind the journal`,
        next: "It catches up by itself; until then the newest messages are not found. If it stays, run huddle rebuild.",
      })),
    ...limits
      .filter(({ used, most }) => most > 0 && used >= most * NEARLY)
      .map(({ key, label, used, most }) => ({
        kind: "limit" as const,
        text: `${label}: ${used} of ${most}`,
        next: used >= most ? `More are refused or held. Raise ${key}.` : `Raise ${key} before it is reached.`,
      })),
    ...missing.map(({ backend, agents, install }) => ({
      kind: "backend" as const,
      text: `${backend} is not installed, and ${sayNames(agents)} on it`,
      next: install === null ? "Install it, or end its agents." : `Install it with: ${install}`,
    })),
    ...findPeerProblems(facts),
  ];
}

function diskProblem({ free_bytes: free, reserve_bytes: reserve }: NonNullable<HealthFacts["disk"]>) {
  if (free >= Math.max(2 * reserve, GB)) return [];
  const text = `Only ${Math.floor(free / 1_000_000)} MB are free on the disk of the journal`;
  const next = `The hub stores nothing below ${Math.floor(reserve / 1_000_000)} MB: free some space, or run huddle prune.`;
  return [{ kind: "disk" as const, text, next }];
}

function sayNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return `${shown}${more} ${names.length === 1 ? "runs" : "run"}`;
}
