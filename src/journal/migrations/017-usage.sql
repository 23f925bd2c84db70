-- What turns used, added up for each agent, task, workflow, conversation and day (the hub's own). `last` is the newest turn's event.
CREATE TABLE usage (
  kind          TEXT    NOT NULL,
  key           TEXT    NOT NULL,
  input_tokens  INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cost_usd      REAL,               -- null: no vendor told
  turns         INTEGER NOT NULL,
  uncosted      INTEGER NOT NULL,   -- how many of the turns have no cost
  last          INTEGER NOT NULL,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;
CREATE INDEX usage_newest ON usage (kind, last);

INSERT INTO usage (kind, key, input_tokens, output_tokens, cost_usd, turns, uncosted, last)
  WITH turn_end AS (
    SELECT seq, at, json_extract(data, '$.agent') AS agent, json_extract(data, '$.task') AS task,
           json_extract(data, '$.conversation') AS conversation,
           json_extract(data, '$.usage.inputTokens') AS input, json_extract(data, '$.usage.outputTokens') AS output,
           json_extract(data, '$.usage.costUsd') AS cost
      FROM event WHERE type = 'TurnEnded' AND json_extract(data, '$.stop') <> 'not_taken'
  ), keyed AS (
    SELECT 'agent' AS kind, agent AS key, * FROM turn_end
    UNION ALL SELECT 'task', task, * FROM turn_end
    UNION ALL SELECT 'conversation', conversation, * FROM turn_end
    UNION ALL SELECT 'day', strftime('%Y-%m-%d', at / 1000, 'unixepoch', 'localtime'), * FROM turn_end
  )
  SELECT kind, key, total(input), total(output), sum(cost), count(*), count(*) - count(cost), max(seq)
    FROM keyed WHERE key IS NOT NULL GROUP BY kind, key;

-- What an agent's vendor last told of its whole session, where it tells no less: what came since is the next turn's.
CREATE TABLE session_usage (
  agent TEXT NOT NULL PRIMARY KEY,
  told  TEXT NOT NULL               -- JSON, as in TurnEnded
) WITHOUT ROWID;

-- Who is at its budget, and from where on it counts: what was used when the person last let it go on.
CREATE TABLE budget (
  kind        TEXT    NOT NULL,     -- agent or workflow
  key         TEXT    NOT NULL,
  reached     INTEGER,              -- wall time; null: it may go on
  usd         REAL,                 -- what it reached, of these two
  tokens      INTEGER,
  from_usd    REAL    NOT NULL,
  from_tokens INTEGER NOT NULL,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;
