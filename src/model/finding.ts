export const findingStates = ["ok", "note", "problem"] as const;

/**
 * What `huddle doctor` says of one thing. `note`: it could be more, and nothing is broken. A problem MUST have the one command that
 * fixes it; `repair` does that, where it is safe to do unasked.
 */
export type Finding =
  | { check: string; state: "ok" | "note"; text: string; fix?: string }
  | { check: string; state: "problem"; text: string; fix: string; repair?: () => void | Promise<void> };
