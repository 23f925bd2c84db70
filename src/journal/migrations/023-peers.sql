-- Other hubs, who of them is known here, and the numbered frames that go to them and come from them.

CREATE TABLE peer (
  name       TEXT    NOT NULL PRIMARY KEY,
  kind       TEXT    NOT NULL,  -- plain, hub
  host       TEXT    NOT NULL,
  port       INTEGER NOT NULL,
  label      TEXT,
  hub_id     TEXT,
  public_key TEXT,
  secret     TEXT,              -- where it is kept
  origin     TEXT    NOT NULL,  -- config, paired
  front      TEXT    NOT NULL   -- the peer agent that stands for the peer itself
) WITHOUT ROWID;

CREATE TABLE peer_agent (
  id        TEXT    NOT NULL PRIMARY KEY,
  peer      TEXT    NOT NULL,
  name      TEXT    NOT NULL,
  team      TEXT,               -- null until it is known
  remote    TEXT,               -- its id there, once it is known
  is_front  INTEGER NOT NULL DEFAULT 0,
  is_person INTEGER NOT NULL DEFAULT 0,
  status    TEXT    NOT NULL DEFAULT 'idle',
  evidence  TEXT    NOT NULL DEFAULT 'nothing is known of it',
  since     INTEGER NOT NULL,   -- wall time, as those below
  met_at    INTEGER NOT NULL,
  gone_at   INTEGER             -- its hub is a peer no more
) WITHOUT ROWID;

CREATE TABLE link_out (
  peer  TEXT    NOT NULL PRIMARY KEY,
  epoch TEXT    NOT NULL,
  next  INTEGER NOT NULL,       -- the next number to give
  acked INTEGER NOT NULL        -- the peer has all up to this one
) WITHOUT ROWID;

-- Numbered and not yet acknowledged.
CREATE TABLE link_frame (
  peer   TEXT    NOT NULL,
  n      INTEGER NOT NULL,
  seq    INTEGER NOT NULL,      -- of the message, or of the event that a receipt tells of
  agent  TEXT,                  -- of mail: whom it goes to
  json   TEXT    NOT NULL,
  digest TEXT    NOT NULL,
  before TEXT,                  -- of mail that expired: the digest that it had
  PRIMARY KEY (peer, n)
) WITHOUT ROWID;
CREATE INDEX link_frame_mail ON link_frame (seq, agent) WHERE agent IS NOT NULL;

-- What peers are still to be told of their mail.
CREATE TABLE link_receipt (
  peer    TEXT    NOT NULL,
  seq     INTEGER NOT NULL,     -- the event that it tells of
  nth     INTEGER NOT NULL,     -- which of those of that event
  n       INTEGER,              -- the number of its frame, once it has one
  receipt TEXT    NOT NULL,     -- JSON
  PRIMARY KEY (peer, seq, nth)
) WITHOUT ROWID;

CREATE TABLE link_in (
  peer    TEXT    NOT NULL PRIMARY KEY,
  epoch   TEXT    NOT NULL,
  up_to   INTEGER NOT NULL,
  digest  TEXT,                 -- of that frame; null where it never came
  retired TEXT    NOT NULL      -- JSON array: epochs before this one
) WITHOUT ROWID;
