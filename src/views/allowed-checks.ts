import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { CheckCommand } from "../model/permission.js";

/** The checks that the person lets run, each with just these arguments in just this project. */
type AllowedChecks = View & {
  has(command: CheckCommand): boolean;
};

export function createAllowedChecks(db: Database): AllowedChecks {
  const find = db.prepare<[string, string, string], { name: string }>(
    "SELECT name FROM allowed_check WHERE name = ? AND argv = ? AND project = ?",
  );
  const insert = db.prepare("INSERT OR IGNORE INTO allowed_check (name, argv, project) VALUES (?, ?, ?)");
  return {
    tables: ["allowed_check"],
    folds: {
      CheckAllowed({ data: { check, argv, project } }) {
        insert.run(check, JSON.stringify(argv), project);
      },
    },
    has: ({ check, argv, project }) => find.get(check, JSON.stringify(argv), project) !== undefined,
  };
}
