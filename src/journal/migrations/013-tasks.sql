-- Tasks. What was asked and what was answered stay in the journal; `seq` and `answered` say where.

CREATE TABLE task (
  id       TEXT    NOT NULL PRIMARY KEY,
  seq      INTEGER NOT NULL,   -- of its TaskAssigned
  agent    TEXT    NOT NULL,
  assigner TEXT    NOT NULL,
  state    TEXT    NOT NULL,
  attempt  INTEGER NOT NULL,
  message  INTEGER,            -- seq of the message by which its agent has it, or is to have it
  answered INTEGER,            -- seq of its last TaskAnswered
  started  INTEGER,            -- wall time
  ended    INTEGER,
  error    TEXT,
  checks   TEXT    NOT NULL,   -- JSON array: those of this attempt
  worktree TEXT                -- JSON
) WITHOUT ROWID;
CREATE INDEX task_by_seq ON task (seq);
CREATE INDEX task_open ON task (agent, seq) WHERE state IN ('pending', 'running', 'checking');
CREATE INDEX task_message ON task (message) WHERE state IN ('pending', 'running', 'checking');
