-- Named documents that agents share, each version that is kept.
CREATE TABLE memory (
  name    TEXT    NOT NULL,
  version INTEGER NOT NULL,
  by      TEXT    NOT NULL,
  by_name TEXT    NOT NULL,    -- the name at that time
  at      INTEGER NOT NULL,    -- wall time
  bytes   INTEGER NOT NULL,
  content TEXT    NOT NULL,
  PRIMARY KEY (name, version)
);
CREATE INDEX memory_by ON memory (by);
