-- Checks that the person lets run in a project from now on. A check that is changed in the configuration is another one.

CREATE TABLE allowed_check (
  name    TEXT NOT NULL,
  argv    TEXT NOT NULL,   -- JSON array
  project TEXT NOT NULL,   -- its real path
  PRIMARY KEY (name, argv, project)
) WITHOUT ROWID;
