-- Names are unique in a team, not in the whole hub.

DROP INDEX agent_by_name;
CREATE UNIQUE INDEX agent_by_name ON agent (name, team) WHERE gone_at IS NULL;

ALTER TABLE agent ADD COLUMN label TEXT;   -- what people read instead of the name

ALTER TABLE held_name RENAME TO held_before;
CREATE TABLE held_name (
  name  TEXT NOT NULL,
  team  TEXT NOT NULL,
  agent TEXT    NOT NULL,
  until INTEGER NOT NULL,  -- hub time
  PRIMARY KEY (name, team)
) WITHOUT ROWID;
INSERT INTO held_name (name, team, agent, until)
  SELECT held.name, coalesce(agent.team, 'main'), held.agent, held.until
    FROM held_before AS held LEFT JOIN agent ON agent.id = held.agent;
DROP TABLE held_before;

UPDATE baseline SET row = json_set(row, '$.team', coalesce(
    (SELECT json_extract(one.row, '$.team') FROM baseline AS one
      WHERE one.seq = baseline.seq AND one.part = 'agent'
        AND json_extract(one.row, '$.id') = json_extract(baseline.row, '$.agent')), 'main'))
  WHERE part = 'held_name';
