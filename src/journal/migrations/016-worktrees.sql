-- Git worktrees that were made for agents, until they are removed.

CREATE TABLE worktree (
  name    TEXT NOT NULL PRIMARY KEY,
  agent   TEXT NOT NULL,
  asker   TEXT NOT NULL,
  task    TEXT,
  project TEXT NOT NULL,
  path    TEXT NOT NULL,
  folder  TEXT NOT NULL,
  branch  TEXT NOT NULL,
  base    TEXT NOT NULL,
  state   TEXT NOT NULL,   -- making, made, kept
  planned INTEGER NOT NULL, -- wall time
  result  TEXT             -- JSON, once it is kept
) WITHOUT ROWID;
CREATE INDEX worktree_agent ON worktree (agent);
