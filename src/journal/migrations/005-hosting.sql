-- Agents that the hub runs itself, the turns that they are in, and what they ask leave for.

ALTER TABLE agent ADD COLUMN runtime TEXT;       -- acp, headless, tmux; null: it was started by a person
ALTER TABLE agent ADD COLUMN instance TEXT;
ALTER TABLE agent ADD COLUMN session TEXT;       -- the vendor's session
ALTER TABLE agent ADD COLUMN permissions TEXT;
ALTER TABLE agent ADD COLUMN adopted TEXT;       -- JSON: the person's pane
CREATE INDEX agent_hosted ON agent (runtime) WHERE runtime IS NOT NULL AND gone_at IS NULL;

-- The turn that each agent is in. One that is still here when the hub starts was cut by its end.
CREATE TABLE turn (
  agent      TEXT PRIMARY KEY,
  id         TEXT    NOT NULL,
  started    INTEGER NOT NULL,   -- hub time
  deliveries TEXT    NOT NULL,   -- JSON array: the seqs that it carries
  oldest     INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE permission (
  id         TEXT PRIMARY KEY,
  agent      TEXT    NOT NULL,
  at         INTEGER NOT NULL,   -- wall time
  expires_at INTEGER,            -- hub time
  data       TEXT    NOT NULL,   -- JSON
  outcome    TEXT,               -- null while it is open
  by         TEXT
) WITHOUT ROWID;
CREATE INDEX permission_open ON permission (agent) WHERE outcome IS NULL;
