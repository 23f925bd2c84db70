import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { Permission, PermissionId, PermissionOutcome } from "../model/permission.js";

type Row = {
  id: string;
  at: number;
  expires_at: number | null;
  data: string;
  outcome: PermissionOutcome | null;
  by: string | null;
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
};

/** Permission requests, and how they were answered. */
type Permissions = View & {
  byId(id: PermissionId): AskedPermission | undefined;
  /** Oldest first. */
  open(): AskedPermission[];
  openOf(agent: AgentId): AskedPermission[];
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
  const answer = db.prepare("UPDATE permission SET outcome = ?, by = ? WHERE id = ?");

  return {
    tables: ["permission"],
    ended: [{ table: "permission", where: "outcome IS NOT NULL" }],
    folds: {
      PermissionRequested({ at, data: { permission, expiresAt } }) {
        insert.run(permission.id, permission.agent, at, expiresAt ?? null, JSON.stringify(permission));
      },
      PermissionAnswered({ data }) {
        answer.run(data.outcome, data.by, data.permission);
      },
    },
    byId: (id) => byId.all(id).map(fromRow)[0],
    open: () => open.all().map(fromRow),
    openOf: (agent) => openOf.all(agent).map(fromRow),
  };
}

function fromRow({ at, expires_at, data, outcome, by }: Row): AskedPermission {
  const permission: unknown = JSON.parse(data);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- written by the fold above
  return { permission: permission as Permission, at, expiresAt: expires_at, outcome, by };
}
