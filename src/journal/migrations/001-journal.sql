-- The truth: what happened, in order. AUTOINCREMENT, so that a number is never used twice, whatever is pruned.
CREATE TABLE event (
  seq      INTEGER PRIMARY KEY AUTOINCREMENT,
  at       INTEGER NOT NULL,  -- wall time in ms, for people
  hub_time INTEGER NOT NULL,  -- monotonic across restarts, for decisions
  type     TEXT    NOT NULL,
  v        INTEGER NOT NULL,
  subject  TEXT,              -- the agent that it concerns
  data     TEXT    NOT NULL   -- JSON
);

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
