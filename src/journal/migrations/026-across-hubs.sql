-- Requests that are shared with other hubs, and those of other hubs that are known here.
ALTER TABLE request ADD COLUMN hubs TEXT;            -- JSON array: the hubs that it is shared with; null: none
ALTER TABLE request ADD COLUMN hub TEXT;             -- the hub whose it is; null: this one

-- Work that agents of other hubs say they are on, and whom of other hubs was told of work here.
CREATE TABLE peer_work (
  task       TEXT    NOT NULL,
  owner      TEXT    NOT NULL,  -- a peer agent
  owner_name TEXT    NOT NULL,
  hub        TEXT    NOT NULL,
  since      INTEGER NOT NULL,  -- wall time of its hub
  until      INTEGER NOT NULL,  -- hub time
  PRIMARY KEY (task, owner)
) WITHOUT ROWID;
CREATE INDEX peer_work_by_owner ON peer_work (owner);
CREATE TABLE work_told (
  task  TEXT NOT NULL,
  agent TEXT NOT NULL,          -- a peer agent
  PRIMARY KEY (task, agent)
) WITHOUT ROWID;

-- Whose mail goes to another agent.
CREATE TABLE forward (
  agent  TEXT NOT NULL PRIMARY KEY,
  target TEXT NOT NULL           -- an agent, or a peer agent
) WITHOUT ROWID;
