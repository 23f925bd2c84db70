import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { MemoryVersion } from "../model/memory.js";

type Row = { name: string; version: number; by: string; by_name: string; at: number; bytes: number };

/** `at` is wall time. */
export type KeptVersion = MemoryVersion & { at: number };

/** What agents share by name, and who wrote which version of it. */
type Memories = View & {
  newest(name: string): KeptVersion | undefined;
  /** Those that are kept, the newest first. */
  versions(name: string): KeptVersion[];
  /** The text of one that is kept. */
  content(name: string, version: number): string | undefined;
  /** The newest versions, in order of their names after the given one. */
  list(after: string, limit: number): KeptVersion[];
  /** Bytes of all versions that are kept, of one writer or of all. */
  bytesOf(agent: AgentId | undefined): number;
};

const COLUMNS = "name, version, by, by_name, at, bytes";

export function createMemories(db: Database): Memories {
  const newest = db.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM memory WHERE name = ? ORDER BY version DESC LIMIT 1`,
  );
  const versions = db.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM memory WHERE name = ? ORDER BY version DESC`,
  );
  const content = db.prepare<[string, number], { content: string }>(
    "SELECT content FROM memory WHERE name = ? AND version = ?",
  );
  const list = db.prepare<[string, number], Row>(
    `SELECT ${COLUMNS} FROM memory AS one WHERE name > ?
       AND version = (SELECT max(version) FROM memory WHERE name = one.name) ORDER BY name LIMIT ?`,
  );
  const bytes = db.prepare<[string | null], { n: number | null }>(
    "SELECT sum(bytes) AS n FROM memory WHERE by = coalesce(?, by)",
  );
  const insert = db.prepare(
    "INSERT INTO memory (name, version, by, by_name, at, bytes, content) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const drop = db.prepare("DELETE FROM memory WHERE name = ? AND version <= ?");
  return {
    tables: ["memory"],
    folds: {
      MemoryShared({ at, data: { memory, content: text, keep } }) {
        const { name, version, by, byName } = memory;
        insert.run(name, version, by, byName, at, memory.bytes, text);
        drop.run(name, version - keep);
      },
    },
    newest(name) {
      const row = newest.get(name);
      return row && fromRow(row);
    },
    versions: (name) => versions.all(name).map(fromRow),
    content: (name, version) => content.get(name, version)?.content,
    list: (after, limit) => list.all(after, limit).map(fromRow),
    bytesOf: (agent) => bytes.get(agent ?? null)?.n ?? 0,
  };
}

function fromRow({ by_name, ...row }: Row): KeptVersion {
  return { ...row, byName: by_name };
}
