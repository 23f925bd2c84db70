-- Tight views of cooldowns, conversations, requests and work claims.

ALTER TABLE agent ADD COLUMN attention TEXT;
ALTER TABLE agent ADD COLUMN parent TEXT;
ALTER TABLE agent ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;

-- Enough of each message to know, when it is handed over, what its reader's next message is caused by.
ALTER TABLE delivery ADD COLUMN conversation TEXT;
ALTER TABLE delivery ADD COLUMN hop INTEGER NOT NULL DEFAULT 0;
ALTER TABLE delivery ADD COLUMN hold TEXT;           -- why it is held
ALTER TABLE delivery_ended ADD COLUMN conversation TEXT;
ALTER TABLE delivery_ended ADD COLUMN hop INTEGER NOT NULL DEFAULT 0;
ALTER TABLE delivery_ended ADD COLUMN hold TEXT;

-- The cooldown of each direction of each pair. Times are hub time.
CREATE TABLE pair (
  sender    TEXT    NOT NULL,
  recipient TEXT    NOT NULL,
  level     INTEGER NOT NULL,
  last      INTEGER NOT NULL,  -- when the newest message was accepted
  due       INTEGER NOT NULL,  -- when the newest message is due
  recent    TEXT    NOT NULL,  -- JSON array: when those of the last minute were accepted
  PRIMARY KEY (sender, recipient)
) WITHOUT ROWID;

-- What each agent was handed lately: the causes of what it sends next.
CREATE TABLE handed (
  agent        TEXT    NOT NULL,
  seq          INTEGER NOT NULL,
  at           INTEGER NOT NULL,  -- hub time
  conversation TEXT    NOT NULL,
  hop          INTEGER NOT NULL,
  PRIMARY KEY (agent, seq)
) WITHOUT ROWID;

CREATE TABLE conversation (
  id        TEXT PRIMARY KEY,
  messages  INTEGER NOT NULL,     -- since it began or was let go on
  hop       INTEGER NOT NULL,     -- the highest so far
  base      INTEGER NOT NULL,     -- hops are counted from here
  state     TEXT    NOT NULL,     -- open, paused, frozen
  changed   INTEGER NOT NULL      -- hub time
) WITHOUT ROWID;

CREATE TABLE request (
  id          TEXT PRIMARY KEY,
  sender      TEXT    NOT NULL,
  sender_name TEXT    NOT NULL,
  description TEXT    NOT NULL,
  context     TEXT,
  opened_at   INTEGER NOT NULL,   -- wall time
  timeout_ms  INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,   -- hub time
  nudges      INTEGER NOT NULL,
  state       TEXT    NOT NULL,   -- open, claimed, answered, expired
  by          TEXT,
  by_name     TEXT,
  message     TEXT                -- the answer
) WITHOUT ROWID;
CREATE INDEX request_by_state ON request (state, opened_at, id);
CREATE INDEX request_by_age ON request (opened_at, id);
CREATE INDEX request_by_claimer ON request (by) WHERE state = 'claimed';

CREATE TABLE work (
  task       TEXT PRIMARY KEY,
  owner      TEXT    NOT NULL,
  owner_name TEXT    NOT NULL,
  since      INTEGER NOT NULL,    -- wall time
  until      INTEGER NOT NULL     -- hub time
) WITHOUT ROWID;
CREATE INDEX work_by_owner ON work (owner);

INSERT OR REPLACE INTO meta (key, value) VALUES ('rebuild_views', '1');
