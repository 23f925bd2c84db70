-- Views that are kept in memory and stored now and then: the last event that their rows hold.
INSERT OR REPLACE INTO meta (key, value) SELECT 'trailing', coalesce(max(seq), 0) FROM event;

-- The newest message that a pair's row holds: folded again, it changes nothing.
ALTER TABLE pair ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;

-- One row for each agent: it is stored as a whole.
ALTER TABLE handed RENAME TO handed_before;
CREATE TABLE handed (
  agent TEXT PRIMARY KEY,
  mail  TEXT NOT NULL      -- JSON array, newest first: seq, at (hub time), conversation, hop
) WITHOUT ROWID;
INSERT INTO handed (agent, mail)
  SELECT agent, json_group_array(json_object('seq', seq, 'at', at, 'conversation', conversation, 'hop', hop))
    FROM (SELECT * FROM handed_before ORDER BY agent, seq DESC) GROUP BY agent;
DROP TABLE handed_before;

INSERT INTO baseline (seq, n, part, row)
  SELECT seq, (SELECT max(n) FROM baseline AS b WHERE b.seq = old.seq) + row_number() OVER (PARTITION BY seq),
         'handed now', json_object('agent', agent, 'mail', CAST(json_group_array(json(mail)) AS TEXT))
    FROM (SELECT seq, json_extract(row, '$.agent') AS agent, json_remove(row, '$.agent') AS mail
            FROM baseline WHERE part = 'handed' ORDER BY seq, agent, json_extract(row, '$.seq') DESC) AS old
    GROUP BY seq, agent;
DELETE FROM baseline WHERE part = 'handed';
UPDATE baseline SET part = 'handed' WHERE part = 'handed now';
