-- Answers that are to be POSTed to the URL that the message they answer gave, until that is done or given up.
CREATE TABLE callback (
  id      TEXT    PRIMARY KEY,
  answer  INTEGER NOT NULL,  -- its seq
  agent   TEXT    NOT NULL,  -- who answered
  message TEXT    NOT NULL,  -- the answer's id
  asker   TEXT    NOT NULL,
  peer    TEXT    NOT NULL,
  url     TEXT    NOT NULL,
  attempt INTEGER NOT NULL,
  due     INTEGER NOT NULL   -- hub time
) WITHOUT ROWID;
