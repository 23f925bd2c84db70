-- Workflows and how far their steps are. What the steps are stays in the journal; `seq` says where.

CREATE TABLE workflow (
  id      TEXT    NOT NULL PRIMARY KEY,
  seq     INTEGER NOT NULL,   -- of its WorkflowCreated
  creator TEXT    NOT NULL,
  state   TEXT    NOT NULL,
  steps   INTEGER NOT NULL,
  over    INTEGER NOT NULL,   -- how many of them have ended
  bad     INTEGER NOT NULL,   -- how many of these make it fail
  runs    INTEGER NOT NULL,   -- how often it was begun: a retry after its end is another
  ended   INTEGER             -- wall time
) WITHOUT ROWID;
CREATE INDEX workflow_by_seq ON workflow (seq);
CREATE INDEX workflow_open ON workflow (seq) WHERE state = 'running';

CREATE TABLE workflow_step (
  workflow TEXT    NOT NULL,
  name     TEXT    NOT NULL,
  place    INTEGER NOT NULL,
  state    TEXT    NOT NULL,
  waits    INTEGER NOT NULL,  -- dependencies that have not ended
  bad      INTEGER NOT NULL,  -- those that failed, and do not count as done
  skipped  INTEGER NOT NULL,
  attempt  INTEGER NOT NULL,  -- how often it was begun
  spent    INTEGER NOT NULL,  -- how often since it was last made pending
  task     TEXT,              -- the newest
  asked    INTEGER,           -- wall time when the person was asked
  decided  INTEGER,           -- seq of what they decided
  started  INTEGER,           -- wall time
  ended    INTEGER,
  error    TEXT,
  continued INTEGER NOT NULL, -- it failed and counts as done
  assignee TEXT,              -- JSON: who does it instead, since a retry
  PRIMARY KEY (workflow, name)
) WITHOUT ROWID;
CREATE INDEX workflow_step_waiting ON workflow_step (asked) WHERE state = 'waiting';

CREATE TABLE workflow_edge (
  workflow  TEXT NOT NULL,
  step      TEXT NOT NULL,
  dependent TEXT NOT NULL,
  PRIMARY KEY (workflow, step, dependent)
) WITHOUT ROWID;
CREATE INDEX workflow_edge_back ON workflow_edge (workflow, dependent);
