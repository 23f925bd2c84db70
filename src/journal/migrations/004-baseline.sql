-- The tight views as they were at an event: where a rebuild starts once the events before it are pruned. Which of the
-- baselines is in force is in `meta` (key baseline); rows of others are left over from a prune that did not end.
-- A migration that changes a tight view's table so that these rows no longer fit it must change them as well.
CREATE TABLE baseline (
  seq  INTEGER NOT NULL,  -- the last event that it holds
  n    INTEGER NOT NULL,
  part TEXT    NOT NULL,  -- the table
  row  TEXT    NOT NULL,  -- JSON object: its columns
  PRIMARY KEY (seq, n)
) WITHOUT ROWID;
