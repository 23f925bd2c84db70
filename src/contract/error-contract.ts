/** What a script would do next decides which; the command line gives each of them a number. */
export type ExitKind =
  | "failed"
  | "usage"
  | "unreachable"
  | "not found"
  | "denied"
  | "rate-limited"
  | "timed out";

export type ErrorContract = {
  /** Over HTTP. Only the command line or the start of a hub gives those that have none. */
  status?: number;
  exit: ExitKind;
  /** What stands beside `error` and `code`. */
  beside?: string;
  /** Seconds after which it makes sense to try again, where the refusal passes by itself. */
  retryAfter?: number;
  /** The way out, for whoever met it. */
  fix: string;
};
