-- Tight views: folded in the same transaction as the events that they decide upon. All can be rebuilt.

CREATE TABLE agent (
  id              TEXT PRIMARY KEY,
  name            TEXT    NOT NULL,
  role            TEXT    NOT NULL,
  team            TEXT    NOT NULL,
  project         TEXT,
  model           TEXT,
  backend         TEXT,
  heartbeat       INTEGER NOT NULL,
  status          TEXT    NOT NULL,
  status_since    INTEGER NOT NULL,
  status_evidence TEXT    NOT NULL,
  registered_at   INTEGER NOT NULL,
  last_active     INTEGER NOT NULL,
  gone_at         INTEGER
) WITHOUT ROWID;
CREATE UNIQUE INDEX agent_by_name ON agent (name) WHERE gone_at IS NULL;
CREATE INDEX agent_gone_by_name ON agent (name, gone_at) WHERE gone_at IS NOT NULL;

-- Names given up by a rename: kept from others until the alarm releases them.
CREATE TABLE held_name (
  name  TEXT PRIMARY KEY,
  agent TEXT    NOT NULL,
  until INTEGER NOT NULL  -- hub time
) WITHOUT ROWID;

CREATE TABLE credential (
  hash  TEXT PRIMARY KEY,
  agent TEXT NOT NULL
) WITHOUT ROWID;

-- Where a message is in the journal. Ids are unique per sender; UUIDv7 keeps this append-only in practice.
CREATE TABLE message (
  id     TEXT    NOT NULL,
  sender TEXT    NOT NULL,
  seq    INTEGER NOT NULL,
  PRIMARY KEY (id, sender)
) WITHOUT ROWID;

-- One row for each message and recipient that has not ended, which is what every inbox is read from. It is small, so a
-- send touches one page of it. state: 0 accepted, 1 offered, 2 held, 3 injected, 4 seen, 5 finished, 6 expired,
-- 7 refused, 8 failed; here 0 to 2.
CREATE TABLE delivery (
  recipient   TEXT    NOT NULL,
  seq         INTEGER NOT NULL,
  sender      TEXT    NOT NULL,
  state       INTEGER NOT NULL,
  attempt     INTEGER NOT NULL DEFAULT 0,
  offered_at  INTEGER,            -- hub time of the newest offer
  answered_by TEXT,
  steps       TEXT,               -- JSON array: every step after acceptance, with its evidence and wall time
  PRIMARY KEY (recipient, seq)
) WITHOUT ROWID;

-- The same, once it has left the inbox.
CREATE TABLE delivery_ended (
  recipient   TEXT    NOT NULL,
  seq         INTEGER NOT NULL,
  sender      TEXT    NOT NULL,
  state       INTEGER NOT NULL,
  attempt     INTEGER NOT NULL,
  offered_at  INTEGER,
  answered_by TEXT,
  steps       TEXT,
  PRIMARY KEY (seq, recipient)
) WITHOUT ROWID;

-- All that is due later, in hub time.
CREATE TABLE alarm (
  due  INTEGER NOT NULL,
  kind TEXT    NOT NULL,
  ref  TEXT    NOT NULL,
  PRIMARY KEY (due, kind, ref)
) WITHOUT ROWID;
