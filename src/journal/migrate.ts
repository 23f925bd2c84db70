import { readdirSync, readFileSync } from "node:fs";
import { HubError } from "../model/errors.js";
import type { Database } from "./sqlite/port.js";

const folder = new URL("./migrations/", import.meta.url);

export type Migration = { version: number; name: string; sql: string };

export function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{3}-.+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      version: Number(name.slice(0, 3)),
      name,
      sql: readFileSync(new URL(name, folder), "utf8"),
    }));
}

/** Brings the database to the newest version, each step in its own transaction. */
export function migrate(db: Database, migrations: readonly Migration[] = readMigrations()): void {
  const current = refuseNewer(db, migrations);
  for (const migration of migrations) {
    if (migration.version <= current) continue;
    db.transaction(() => {
      db.exec(migration.sql);
      db.pragma(`user_version = ${migration.version}`);
    })();
  }
}

/** The database's version, if this program knows it. */
export function refuseNewer(db: Database, migrations: readonly Migration[] = readMigrations()): number {
  const current = Number(db.pragma("user_version", { simple: true }));
  const newest = migrations.at(-1)?.version ?? 0;
  if (current <= newest) return current;
  throw new HubError(
    "DATA_NEWER",
    `${db.name} was written by a newer Huddle (format ${current}; this one knows up to ${newest}). ` +
      "Nothing was changed. Upgrade Huddle, or point HUDDLE_HOME at another folder.",
    { found: current, known: newest, file: db.name },
  );
}
