-- When a request was claimed, answered and opened again, and the tasks by which a step of a workflow was tried before.
ALTER TABLE request ADD COLUMN claimed_at INTEGER;   -- wall time, as the other two
ALTER TABLE request ADD COLUMN answered_at INTEGER;
ALTER TABLE request ADD COLUMN reopened_at INTEGER;
ALTER TABLE request ADD COLUMN left_by TEXT;         -- who had claimed it before it was open again
ALTER TABLE request ADD COLUMN left_name TEXT;

UPDATE request SET claimed_at = told.at
  FROM (SELECT data ->> 'request' AS id, at, max(seq) FROM event WHERE type = 'RequestClaimed' GROUP BY 1) AS told
  WHERE told.id = request.id AND request.state IN ('claimed', 'answered');
UPDATE request SET answered_at = told.at
  FROM (SELECT data ->> 'request' AS id, at, max(seq) FROM event WHERE type = 'RequestAnswered' GROUP BY 1) AS told
  WHERE told.id = request.id AND request.state = 'answered';
UPDATE request SET reopened_at = told.at, left_by = told.by
  FROM (SELECT data ->> 'request' AS id, data ->> 'by' AS by, at, max(seq) FROM event WHERE type = 'RequestReopened' GROUP BY 1) AS told
  WHERE told.id = request.id;
UPDATE request SET left_name = told.name
  FROM (SELECT claimed.data ->> 'request' AS id, claimed.data ->> 'byName' AS name, max(claimed.seq)
          FROM event AS claimed
          JOIN (SELECT data ->> 'request' AS id, max(seq) AS seq FROM event WHERE type = 'RequestReopened' GROUP BY 1) AS again
            ON again.id = claimed.data ->> 'request' AND claimed.seq < again.seq
         WHERE claimed.type = 'RequestClaimed' GROUP BY 1) AS told
  WHERE told.id = request.id;

ALTER TABLE workflow_step ADD COLUMN tries TEXT;     -- JSON array: its tasks before the newest; null: none

UPDATE workflow_step SET tries = told.tries
  FROM (SELECT s.workflow, s.name, json_group_array(e.data ->> 'task' ORDER BY e.seq) AS tries
          FROM event AS e JOIN workflow_step AS s ON s.workflow = e.data ->> 'workflow' AND s.name = e.data ->> 'step'
         WHERE e.type = 'StepStarted' AND e.data ->> 'task' <> s.task GROUP BY s.workflow, s.name) AS told
  WHERE told.workflow = workflow_step.workflow AND told.name = workflow_step.name;
