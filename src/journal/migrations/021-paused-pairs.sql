-- Directions of pairs whose mail waits until the person resumes them.
CREATE TABLE paused_pair (
  sender    TEXT    NOT NULL,
  recipient TEXT    NOT NULL,
  since     INTEGER NOT NULL,  -- hub time
  PRIMARY KEY (sender, recipient)
) WITHOUT ROWID;
