-- Since when an agent is paused, in hub time; null: it is not.
ALTER TABLE agent ADD COLUMN paused_since INTEGER;

-- One row while whoever comes is paused, too.
CREATE TABLE all_paused (
  id     INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  spares TEXT                        -- 'orchestrators', or null
);

-- What is left of the times of tasks whose agent is paused: their alarms do not ring.
CREATE TABLE stopped_clock (
  task    TEXT    NOT NULL,
  agent   TEXT    NOT NULL,
  left_ms INTEGER NOT NULL,
  PRIMARY KEY (agent, task, left_ms)
) WITHOUT ROWID;
