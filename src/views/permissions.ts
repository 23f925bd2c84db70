import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { Permission, PermissionId, PermissionOutcome, PermissionReason } from "../model/permission.js";

type Row = {
  id: string;
  at: number;
  expires_at: number | null;
  data: string;
  outcome: PermissionOutcome | null;
  by: string | null;
  answered_at: number | null;
  via: string | null;
  reason: PermissionReason | null;
};

export type AskedPermission = {
  permission: Permission;
  /** Wall time. */
  at: number;
  /** Hub time. */
  expiresAt: number | null;
  /** Null while it is open. */
  outcome: PermissionOutcome | null;
  by: AgentId | null;
  /** Wall time; null also of one that an older version answered. */
  answeredAt: number | null;
  via: string | null;
  reason: PermissionReason | null;
};

/** Permission requests, and how they were answered. */
type Permissions = View & {
  byId(id: PermissionId): AskedPermission | undefined;
  /** Oldest first. */
  open(): AskedPermission[];
  openOf(agent: AgentId): AskedPermission[];
  /** Those that did wait for the person, newest answer first. */
  answered(limit: number): AskedPermission[];
};

export function createPermissions(db: Database): Permissions {
  const byId = db.prepare<[string], Row>("SELECT * FROM permission WHERE id = ?");
  const open = db.prepare<[], Row>("SELECT * FROM permission WHERE outcome IS NULL ORDER BY at, id");
  const openOf = db.prepare<[string], Row>(
    "SELECT * FROM permission WHERE agent = ? AND outcome IS NULL ORDER BY at, id",
  );
  const insert = db.prepare(
    "REPLACE INTO permission (id, agent, at, expires_at, data) VALUES (?, ?, ?, ?, ?)",
  );
  const answered = db.prepare<[number], Row>(
    `SELECT * FROM permission WHERE answered_at IS NOT NULL AND reason IS NOT 'policy'
       ORDER BY answered_at DESC, id DESC LIMIT ?`,
  );
  const answer = db.prepare(
    "UPDATE permission SET outcome = ?, by = ?, answered_at = ?, via = ?, reason = ? WHERE id = ?",
  );

  return {
    tables: ["permission"],
    ended: [{ table: "permission", where: "outcome IS NOT NULL" }],
    folds: {
      PermissionRequested({ at, data: { permission, expiresAt } }) {
        insert.run(permission.id, permission.agent, at, expiresAt ?? null, JSON.stringify(permission));
      },
      PermissionAnswered({ at, data: { outcome, by, via, reason, permission } }) {
        answer.run(outcome, by, at, via ?? null, reason ?? null, permission);
      },
    },
    byId: (id) => byId.all(id).map(fromRow)[0],
    open: () => open.all().map(fromRow),
    openOf: (agent) => openOf.all(agent).map(fromRow),
    answered: (limit) => answered.all(limit).map(fromRow),
  };
}

function fromRow(row: Row): AskedPermission {
  const { at, outcome, by, via, reason } = row;
  const data: unknown = JSON.parse(row.data);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- written by the fold above
  const permission = data as Permission;
  return { permission, at, expiresAt: row.expires_at, outcome, by, answeredAt: row.answered_at, via, reason };
}
