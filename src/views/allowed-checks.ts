import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { CheckCommand } from "../model/permission.js";

type Row = { name: string; argv: string; project: string };

/** The checks that the person lets run, each with just these arguments in just this project. */
type AllowedChecks = View & {
  has(command: CheckCommand): boolean;
  /** In order of their names and projects. */
  list(): CheckCommand[];
};

export function createAllowedChecks(db: Database): AllowedChecks {
  const find = db.prepare<[string, string, string], { name: string }>(
    "SELECT name FROM allowed_check WHERE name = ? AND argv = ? AND project = ?",
  );
  const all = db.prepare<[], Row>(
    "SELECT name, argv, project FROM allowed_check ORDER BY name, project, argv",
  );
  const insert = db.prepare("INSERT OR IGNORE INTO allowed_check (name, argv, project) VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM allowed_check WHERE name = ? AND project = ?");
  return {
    tables: ["allowed_check"],
    folds: {
      CheckAllowed({ data: { check, argv, project } }) {
        insert.run(check, JSON.stringify(argv), project);
      },
      CheckForgotten({ data: { check, project } }) {
        remove.run(check, project);
      },
    },
    has: ({ check, argv, project }) => find.get(check, JSON.stringify(argv), project) !== undefined,
    list: () => all.all().map(({ name, argv, project }) => ({ check: name, argv: parseArgv(argv), project })),
  };
}

function parseArgv(json: string): string[] {
  const argv: unknown = JSON.parse(json);
  return Array.isArray(argv) ? argv.map(String) : [];
}
