import { statSync } from "node:fs";
import { HubError } from "../model/errors.js";

/*
 * A database that is removed or replaced under its hub goes on taking commits, and nobody will ever read them. So the hub
 * compares the files at their paths with those that it opened: before a commit when it last did so longer ago than
 * BEFORE_COMMIT_MS, which bounds how long a message could still be accepted and lost, and now and then when nobody sends.
 */

export const BEFORE_COMMIT_MS = 250;

type FileWatch = {
  /** Throws if a file is not the one that was opened. Looks only if it last did longer ago than that. */
  look(olderThanMs?: number): void;
};

export function watchFiles(database: string): FileWatch {
  const opened = new Map<string, string>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  function look(olderThanMs = 0) {
    const now = performance.now();
    if (now - lookedAt < olderThanMs) return;
    lookedAt = now;
    for (const file of [database, `${database}-wal`]) {
      const found = identityOf(file);
      // The log is made with the first transaction.
      const known = opened.get(file) ?? found;
      if (known !== undefined) opened.set(file, known);
      if (found !== known) throw gone(file);
    }
  }

  look();
  return { look };
}

function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

function gone(file: string): HubError {
  return new HubError(
    "DATA_UNUSABLE",
    `${file} was removed or replaced while the hub used it: what it stored there since is lost. The hub stops now. ` +
      "Put the file back, or restore a backup, and start it again: huddle up",
    { file },
  );
}
