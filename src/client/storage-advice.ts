import { HubError } from "../model/errors.js";

/** What to do about a failure of the file system, in a sentence. */
export function storageAdvice(error: unknown, path: string): string {
  switch (errorCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full: free some space and start again.";
    case "EROFS":
      return "The disk is read-only: point HUDDLE_HOME at a folder that can be written.";
    case "EMFILE":
    case "ENFILE":
      return HANDLES;
    default:
      return `Check who owns it and its permissions (ls -ld ${path}), or point HUDDLE_HOME at another folder.`;
  }
}

const HANDLES =
  "Too many files and connections are open: close some, or raise the limit (ulimit -n 4096) and start the hub again.";

/** The refusal if it is about too few handles. */
export function tooFewHandles(error: unknown): HubError | undefined {
  const code = errorCode(error);
  if (code !== "EMFILE" && code !== "ENFILE") return undefined;
  return new HubError(
    "TOO_FEW_HANDLES",
    `The hub has no file handles left (${code}): new connections are dropped and agents cannot be started. ${HANDLES}`,
    {},
    { cause: error },
  );
}

export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
